package pty

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pi/internal/testmain"
)

// rounds is how often what must never happen is tried.
func rounds(t *testing.T) int {
	t.Helper()
	switch {
	case os.Getenv("PI_LONG") != "":
		return 2000
	case testmain.Race:
		return 20
	}
	return 200
}

// TestTailOfOutput: the end of the output is there each time.
func TestTailOfOutput(t *testing.T) {
	var b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&b, "%d\r\n", i+1)
	}
	want := b.String()
	for i := range rounds(t) {
		out, end := run(t, `seq 1 20000; exit 3`)
		if out != want || end.ExitCode != 3 {
			t.Fatalf("round %d: %d of %d bytes, %+v", i, len(out), len(want), end)
		}
	}
}

// TestNothingLeaks: rounds of every kind leave no goroutine, descriptor or process.
func TestNothingLeaks(t *testing.T) {
	kinds := []string{`echo x`, `exit 3`, `kill -9 $$`, `sleep 1000`, `setsid sleep 0.5 & sleep 0.01`, `stty raw; sleep 1000`}
	s := New()
	tag := fmt.Sprintf("PTYTAG=%d", time.Now().UnixNano())
	round := func(i int) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		kind := kinds[i%len(kinds)]
		o := Options{Command: kind, Env: append(environment(t), tag), Timeout: patience, Ready: func() {
			_ = s.Write([]byte("input that nobody reads"))
			if strings.Contains(kind, "1000") {
				time.AfterFunc(20*time.Millisecond, cancel)
			}
		}}
		end, err := s.Start(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		if end.Held != nil {
			end.Held.Close()
		}
	}
	for i := range len(kinds) {
		round(i)
	}
	fds, goroutines := descriptors(t), runtime.NumGoroutine()
	for i := range rounds(t) {
		round(i)
	}
	eventually(t, "the descriptors are back", func() bool { return descriptors(t) <= fds })
	eventually(t, "the goroutines are back", func() bool { return runtime.NumGoroutine() <= goroutines })
	eventually(t, "no process is left", func() bool { return !tagged(t, tag) })
}

func descriptors(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// tagged tells whether any process has tag in its environment.
func tagged(t *testing.T, tag string) bool {
	t.Helper()
	list, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(list, func(e os.DirEntry) bool {
		b, err := os.ReadFile("/proc/" + e.Name() + "/environ")
		return err == nil && strings.Contains(string(b), tag)
	})
}
