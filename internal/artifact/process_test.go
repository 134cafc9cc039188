package artifact

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sort"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// roleVar is the variable that makes the test binary run as a child process; see [roles].
const roleVar = "PI_ARTIFACT_TEST_ROLE"

// roles are the functions of the child processes. Their first argument is the store; the parent checks their output.
var roles = map[string]func(s *Store, args []string) error{
	"create": func(s *Store, args []string) error { return childCreate(s, args[0]) },
	"hang":   childHang,
	"list": func(s *Store, _ []string) error {
		_, all, err := s.List(0)
		fmt.Println(all)
		return err
	},
}

func TestMain(m *testing.M) {
	if role := roles[os.Getenv(roleVar)]; role != nil {
		s := Open(os.Args[1], Options{MaxBytes: 64 << 10})
		if err := role(s, os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func childCreate(s *Store, text string) error {
	w, err := s.Create(Meta{Command: text})
	if err != nil {
		return err
	}
	for range 100 {
		if _, err := io.WriteString(w, text+"\n"); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Println(w.ID())
	return nil
}

// childHang writes args[0] numbered lines, reports that it is ready, and waits to be killed.
func childHang(s *Store, args []string) error {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	w, err := s.Create(Meta{Command: "hang"})
	if err != nil {
		return err
	}
	for i := range n {
		if _, err := fmt.Fprintf(w, "%07d\n", i); err != nil {
			return err
		}
	}
	fmt.Println("ready", w.ID())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func child(role string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), roleVar+"="+role)
	return c
}

func TestParallelProcesses(t *testing.T) {
	s := newStore(t, Options{})
	const n = 50
	var cmds []*exec.Cmd
	var outs []*strings.Builder
	for i := range n {
		c := child("create", s.Dir(), fmt.Sprintf("process %d", i))
		out := &strings.Builder{}
		c.Stdout, c.Stderr = out, out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		cmds, outs = append(cmds, c), append(outs, out)
	}
	var ids []int
	for i, c := range cmds {
		if err := c.Wait(); err != nil {
			t.Fatalf("process %d: %v: %s", i, err, outs[i])
		}
		id, err := strconv.Atoi(strings.TrimSpace(outs[i].String()))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
		want := strings.Repeat(fmt.Sprintf("process %d\n", i), 100)
		if got := cat(t, s, strconv.Itoa(id), Selection{}); got != want {
			t.Errorf("artifact %d of process %d holds %d bytes, want %d", id, i, len(got), len(want))
		}
	}
	sort.Ints(ids)
	for i, id := range ids {
		if id != i+1 {
			t.Fatalf("ids %v are not 1 to %d", ids, n)
		}
	}
}

// hang starts a writer in a child process and waits until it has written the lines. kill kills it.
func hang(t *testing.T, s *Store, lines int) (id string, kill func()) {
	t.Helper()
	c := child("hang", s.Dir(), strconv.Itoa(lines))
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, id, _ = strings.Cut(strings.TrimSpace(line), " ")
	return id, func() {
		c.Process.Kill()
		c.Wait()
		in.Close()
	}
}

func numberedLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%07d\n", i)
	}
	return b.String()
}

func TestKilledWriterLeavesAReadableStore(t *testing.T) {
	for _, n := range []int{0, 10, 4096, 4097, 8192, 8193, 50000} { // the cap is 64 KiB, a line 8 bytes
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			s := newStore(t, Options{})
			id, kill := hang(t, s, n)
			if m, err := s.Meta(ref(t, id)); err != nil || !m.Writing || m.Status != StatusRunning {
				t.Errorf("alive: %+v, %v", m, err)
			}
			checkCapped(t, s, id, numberedLines(n), 64<<10)
			kill()
			if m, err := s.Meta(ref(t, id)); err != nil || m.Writing || m.Status != StatusLost || m.TotalBytes != int64(8*n) {
				t.Errorf("killed: %+v, %v", m, err)
			}
			checkCapped(t, s, id, numberedLines(n), 64<<10)
			if w := put(t, s, "next"); w.ID() != "2" {
				t.Errorf("next id = %s", w.ID())
			}
			if _, err := s.Remove(ref(t, id)); err != nil {
				t.Error(err)
			}
			if got := names(t, s); got != "2.bash.json 2.bash.log" {
				t.Errorf("left: %s", got)
			}
		})
	}
}

func TestPruneKeepsArtifactsBeingWritten(t *testing.T) {
	s := newStore(t, Options{})
	id, kill := hang(t, s, 5)
	defer kill()
	put(t, s, "a")
	put(t, s, "b")
	done, err := s.Prune(Policy{Keep: 0, MaxTotal: -1})
	if err != nil || fmt.Sprint(done.IDs) != "[2 3]" || done.Busy != 1 || done.Left != 1 {
		t.Errorf("pruned %+v, %v", done, err)
	}
	kill()
	done, err = s.Prune(Policy{Keep: 0, MaxTotal: -1, DryRun: true})
	if err != nil || len(done.IDs) != 1 || names(t, s) == "" {
		t.Errorf("dry run %+v, %v, left %s", done, err, names(t, s))
	}
	if _, err := s.Remove(ref(t, id)); err != nil {
		t.Error(err)
	}
}
