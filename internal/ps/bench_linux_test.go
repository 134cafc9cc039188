package ps

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"
)

// forest starts a tree of n sleeping processes below one shell.
func forest(b *testing.B, n int) *Tree {
	b.Helper()
	text := fmt.Sprintf("for i in $(seq %d); do sleep 1000 & done; wait", n-1)
	tree, err := Start(Command{Path: "/bin/sh", Args: []string{"sh", "-c", text}, Env: os.Environ()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { tree.End(0, nil) })
	for len(Descendants(tree.PID())) < n-1 {
		time.Sleep(50 * time.Millisecond)
	}
	return tree
}

// BenchmarkKillTree sends the signal that does nothing to a tree of 200.
func BenchmarkKillTree(b *testing.B) {
	tree := forest(b, 200)
	b.ReportAllocs()
	for b.Loop() {
		if n := KillTree(tree.PID(), syscall.Signal(0)); n != 200 {
			b.Fatal(n)
		}
	}
}

func BenchmarkDescendants(b *testing.B) {
	tree := forest(b, 200)
	b.ReportAllocs()
	for b.Loop() {
		Descendants(tree.PID())
	}
}

func BenchmarkScan(b *testing.B) {
	forest(b, 200)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := scan(); err != nil {
			b.Fatal(err)
		}
	}
}

// The two below are compared: what Start adds to os.StartProcess.

func BenchmarkStart(b *testing.B) {
	c := Command{Path: "/bin/true", Args: []string{"true"}, Env: os.Environ()}
	b.ReportAllocs()
	for b.Loop() {
		tree, err := Start(c)
		if err != nil {
			b.Fatal(err)
		}
		<-tree.Done()
		if err := tree.Release(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOSStartProcess(b *testing.B) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close()
	b.ReportAllocs()
	for b.Loop() {
		p, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{Files: []*os.File{null, null, null}, Env: os.Environ()})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.Wait(); err != nil {
			b.Fatal(err)
		}
	}
}
