package ps

import (
	"bufio"
	"io"
	"os"
	"testing"
)

// TestBirths: what a leader starts is seen while it lives, also after the child that started it has gone.
func TestBirths(t *testing.T) {
	for _, c := range []struct {
		name, script string
		born         bool
	}{
		{"nobody", ":", false},
		{"a child that has ended", "/bin/true", false},
		{"a child", "sleep 1000 &", true},
		{"an orphan", "(sleep 1000 &)", true},
		{"an orphan in a session of its own", "setsid sh -c 'sleep 1000 & sleep 1000 &'", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			inR, inW, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer inW.Close()
			outR, outW, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer outR.Close()
			tree, err := Start(Command{Path: "/bin/bash", Args: []string{"bash", "-c", "read -r x; eval \"$x\" >/dev/null 2>&1; echo done; read -r x"},
				Env: os.Environ(), Stdin: inR, Stdout: outW})
			inR.Close()
			outW.Close()
			if err != nil {
				t.Fatal(err)
			}
			defer tree.End(0, nil)
			b := NewForkWatcher(tree)
			defer b.Close()
			b.Look()
			_, _ = io.WriteString(inW, c.script+"\n")
			if _, err := bufio.NewReader(outR).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			if born := b.Look(); born != c.born {
				t.Errorf("Look() = %v", born)
			}
			if b.Look() {
				t.Error("a second look finds the same again")
			}
		})
	}
}
