package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"pi/internal/ps"
	"pi/internal/shell"
)

// checker asks the shell whether it can read back what it printed.
type checker struct {
	ctx  context.Context
	spec Spec
	env  []string
}

var errSyntax = errors.New("the shell cannot read it back")

// readable returns the functions that the shell can read back. It finds the others, which no shell should print but some
// versions do, by bisection.
func (c checker) readable(list []function) ([]function, error) {
	if len(list) == 0 {
		return nil, nil
	}
	err := c.check(appendFunctions(nil, c.spec.Shell.Dialect.Snapshot, list))
	switch {
	case err == nil:
		return list, nil
	case !errors.Is(err, errSyntax):
		return nil, err
	case len(list) == 1:
		return nil, nil
	}
	a, err := c.readable(list[:len(list)/2])
	if err != nil {
		return nil, err
	}
	b, err := c.readable(list[len(list)/2:])
	return append(a[:len(a):len(a)], b...), err
}

// check has the shell parse a script without running it.
func (c checker) check(script []byte) error {
	path := filepath.Join(c.spec.CacheDir, "new-"+nonce())
	defer os.Remove(path)
	if err := writePrivate(path, script); err != nil {
		return err
	}
	tree, err := ps.Start(ps.Command{Path: c.spec.Shell.Path, Args: checkArgs(c.spec.Shell, path), Env: c.env, Dir: c.spec.Home})
	if err != nil {
		return err
	}
	defer tree.End(0, nil)
	select {
	case <-tree.Done():
	case <-c.ctx.Done():
		return fmt.Errorf("took longer than %v", checkLimit)
	}
	if st := tree.State(); st.Signal != 0 || st.ExitCode != 0 {
		return errSyntax
	}
	return nil
}

func checkArgs(s shell.Shell, path string) []string {
	d := s.Dialect
	return append(append([]string{d.Name}, d.Snapshot.CheckFlags...), path)
}
