package ps

import (
	"os"

	"pi/internal/self"
)

// StartDetached starts pi's own program with args, the first of which is a hidden verb of package self. The process
// belongs to no tree and outlives this one: it has a session of its own, the temporary directory as its working
// directory, input on its standard input, null devices as its other standard streams, and extra from descriptor 3 on.
// It blocks until the process has read what of input exceeds a pipe. extra stays open here.
func StartDetached(args []string, input []byte, extra []*os.File) error {
	path, err := self.Path()
	if err != nil {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	stdin, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer w.Close()
	_, err = registry.startHelper(path, append([]string{self.Name()}, args...), &os.ProcAttr{
		Dir: os.TempDir(), Env: os.Environ(), Files: append([]*os.File{stdin, null, null}, extra...), Sys: detached(),
	})
	stdin.Close()
	if err != nil {
		return err
	}
	_, err = w.Write(input)
	return err
}

// startHelper starts a child that belongs to no tree, and reaps it when it ends. Without this record the child would be
// taken for an orphan of a command, and killed with that command.
func (r *treeRegistry) startHelper(path string, args []string, attr *os.ProcAttr) (pid int, err error) {
	r.mu.Lock() // nobody looks for orphans before the child is on record
	defer r.mu.Unlock()
	p, err := os.StartProcess(path, args, attr)
	if err != nil {
		return 0, err
	}
	if r.helpers == nil {
		r.helpers = make(map[int]bool)
	}
	r.helpers[p.Pid] = true
	go func() {
		_, _ = p.Wait()
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.helpers, p.Pid)
	}()
	return p.Pid, nil
}
