package shell

import (
	"strings"

	"pi/internal/ps"
)

// Cwd is the session's working directory, as [Session.State] tells it.
func (s *Session) Cwd() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cwd
}

// Jobs is what State says of the background, at a cost that every run can bear; it may miss what is just being forked. A
// subshell, whose command line is that of the session's shell, is named as such.
func (s *Session) Jobs() (list []ps.Process) {
	s.mu.Lock()
	trees, l := s.trees(), s.live
	s.mu.Unlock()
	if l != nil && len(trees) == 1 {
		return named(l.jobs())
	}
	for _, t := range trees {
		list = append(list, t.Glance()...)
	}
	return named(list)
}

// named calls subshells what they are.
func named(list []ps.Process) []ps.Process {
	for i, p := range list {
		if name, _, ours := strings.Cut(p.Command, " -c -- _pi_"); ours {
			name, _, _ = strings.Cut(name, " ")
			list[i].Command = "(" + name + " subshell)"
		}
	}
	return list
}
