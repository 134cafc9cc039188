package ps

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"pi/internal/testmain"
)

// patience bounds every wait for a condition in the tests; it is only used up by a failure.
const patience = 20 * time.Second

func TestMain(m *testing.M) {
	testmain.Run(m, RunHidden, func(args []string) (bool, int) {
		switch {
		case len(args) == 2 && args[0] == "run-as-pi":
			runAsPi(args[1])
		case len(args) == 1 && args[0] == "look-as-pi":
			lookAsPi()
		}
		return false, 0
	})
}

// eventually waits for ok to become true.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("not within %v: %s", patience, what)
}

// tag is an argument by which a test finds its processes all over the system.
func tag(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("9%d%d", os.Getpid(), time.Now().UnixNano()%1e9)
}

// tagged lists the living processes with an argument that contains tag.
func tagged(t *testing.T, tag string) (lines []string) {
	t.Helper()
	s, err := scan()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.procs {
		if line := commandLine(p); p.alive() && strings.Contains(line, tag) && p.pid != os.Getpid() {
			lines = append(lines, fmt.Sprintf("%d(%d) %c %s", p.pid, p.ppid, p.state, line))
		}
	}
	return lines
}

// start runs a shell text as a tree.
func start(t *testing.T, text string) *Tree {
	t.Helper()
	tree, err := Start(Command{Path: "/bin/bash", Args: []string{"bash", "-c", text}, Env: os.Environ(), Stderr: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.End(0, nil) })
	return tree
}

// output runs a shell text as a tree to its end and gives what it printed.
func output(t *testing.T, text string) (string, State) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tree, err := Start(Command{Path: "/bin/bash", Args: []string{"bash", "-c", text}, Env: os.Environ(), Stdout: w, Stderr: w})
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	_, _ = b.ReadFrom(r)
	<-tree.Done()
	if err := tree.Release(); err != nil {
		t.Fatal(err)
	}
	return b.String(), tree.State()
}

// runAsPi is a pi that runs a shell text until it is killed. It says "armed" once the guardian watches.
func runAsPi(text string) {
	tree, err := Start(Command{Path: "/bin/bash", Args: []string{"bash", "-c", text}, Env: os.Environ()})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for {
		time.Sleep(time.Millisecond)
		tree.mu.Lock()
		armed := tree.armed
		tree.mu.Unlock()
		if armed {
			break
		}
		if w := tree.Warnings(); len(w) > 0 {
			fmt.Println(w)
			os.Exit(1)
		}
	}
	fmt.Println("armed")
	time.Sleep(time.Hour)
}
