package session

import (
	"strings"

	"pi/internal/ps"
)

// Cwd returns the session's working directory, as [Session.State] does.
func (s *Session) Cwd() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cwd
}

// Jobs returns the background processes as State does, but cheaply enough for every run: it may miss a process that is just being
// forked. It labels subshells, whose command line is that of the session's shell.
func (s *Session) Jobs() (list []ps.Process) {
	s.mu.Lock()
	trees, p := s.trees(), s.proc
	s.mu.Unlock()
	if p != nil && len(trees) == 1 {
		return label(p.jobs())
	}
	for _, t := range trees {
		list = append(list, t.QuickBackground()...)
	}
	return label(list)
}

// label replaces the command line of subshells, which is the driver.
func label(list []ps.Process) []ps.Process {
	for i, p := range list {
		if name, _, ours := strings.Cut(p.Command, " -c -- _pi_"); ours {
			name, _, _ = strings.Cut(name, " ")
			list[i].Command = "(" + name + " subshell)"
		}
	}
	return list
}
