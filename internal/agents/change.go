package agents

import (
	"bytes"
	"errors"
	"fmt"

	"pi/internal/environ"
)

// Options are the circumstances of a registration.
type Options struct {
	Environ []string // NAME=VALUE; HOME and the agents' own variables locate the files
	Exe     string   // absolute path of the program that agents start
	NoHook  bool     // register the MCP server only
}

// Change is a planned change of one file. [Change.Apply] makes it.
type Change struct {
	Path          string // with symbolic links resolved
	What          string // pi's entry in the file: "MCP server" or "hook for shell commands"
	Before, After []byte // Before is nil if the file does not exist, After if it will be deleted

	file         file
	backup       string // path of the backup, or empty
	makeBackup   bool   // write Before to backup
	deleteBackup bool   // the file becomes what backup holds
}

// Same reports whether there is nothing to change.
func (c Change) Same() bool {
	return string(c.Before) == string(c.After) && (c.Before == nil) == (c.After == nil)
}

// Backup returns the path of the backup of the text without pi that Apply makes or uses; empty if there is none.
func (c Change) Backup() string { return c.backup }

// MakesBackup reports whether Apply makes a backup of the file.
func (c Change) MakesBackup() bool { return c.makeBackup }

// Add plans the registration of pi. It reads the files and writes nothing.
func (a Agent) Add(o Options) ([]Change, error) {
	return a.plan(o, func(s settingsFile, f file) (Change, error) {
		after, err := s.editor.add(f.text, o.Exe)
		if err != nil {
			return Change{}, err
		}
		c := Change{Path: f.path, What: s.what, Before: f.text, After: after, file: f}
		if without, rerr := s.editor.remove(f.text); rerr == nil && f.text != nil && bytes.Equal(without, f.text) && !c.Same() {
			c.makeBackup = true // the file has no entry of pi yet
			c.backup, err = freeBackup(f)
		}
		return c, err
	})
}

// Remove plans the removal of pi's entries. A file that is exactly as pi wrote it is restored from the backup, or
// deleted if pi created it. Nothing is written.
func (a Agent) Remove(o Options) ([]Change, error) {
	return a.plan(o, func(s settingsFile, f file) (Change, error) {
		c := Change{Path: f.path, What: s.what, Before: f.text, file: f}
		var err error
		if c.After, err = s.editor.remove(f.text); err != nil || c.Same() {
			return c, err
		}
		return c.restore(s.editor), nil
	})
}

// plan reads the agent's files and plans the change of each. An error with one file plans no change at all.
func (a Agent) plan(o Options, change func(settingsFile, file) (Change, error)) ([]Change, error) {
	home := environ.Home(o.Environ)
	if home == "" {
		return nil, errors.New("HOME is not set to an absolute path")
	}
	var list []Change
	for _, s := range a.files {
		if s.hook && o.NoHook {
			continue
		}
		f, err := readFile(s.path(o.Environ, home))
		if err != nil {
			return nil, err
		}
		c, err := change(s, f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
		list = append(list, c)
	}
	return list, nil
}

// restore turns a removal into the restoration of the text from before pi, if the file is exactly as pi wrote it. It
// uses and deletes only a backup that pi made, which holds exactly that text; other files of such a name stay.
func (c Change) restore(e editor) Change {
	exe := e.program(c.Before)
	producesBefore := func(original []byte) bool {
		again, err := e.add(original, exe)
		return err == nil && bytes.Equal(again, c.Before)
	}
	for _, path := range backups(c.Path) {
		saved, err := readBackup(path)
		if err == nil && (bytes.Equal(saved, c.After) || producesBefore(saved)) {
			c.After, c.backup, c.deleteBackup = saved, path, true
			return c
		}
	}
	if producesBefore(nil) {
		c.After = nil
	}
	return c
}

// State is the state of pi's entry in one file of an agent.
type State struct {
	Path, What string // as in [Change]
	Found      bool   // the file exists
	Registered bool   // it has pi's entry
	Err        error  // the file cannot be read or parsed
}

// States returns the state of each of the agent's files.
func (a Agent) States(o Options) (list []State) {
	for _, s := range a.files {
		state := State{Path: s.path(o.Environ, environ.Home(o.Environ)), What: s.what}
		f, err := readFile(state.Path)
		if err == nil && f.text != nil {
			var without []byte
			without, err = s.editor.remove(f.text)
			state.Found, state.Registered = true, err == nil && string(without) != string(f.text)
		}
		state.Err = err
		list = append(list, state)
	}
	return list
}
