package shell

import "pi/internal/ps"

// Cwd is the session's working directory, as [Session.State] tells it.
func (s *Session) Cwd() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cwd
}

// Jobs is what State says of the background, at a cost that every run can bear; it may miss what is just being forked.
func (s *Session) Jobs() (list []ps.Process) {
	s.mu.Lock()
	trees := s.trees()
	s.mu.Unlock()
	for _, t := range trees {
		list = append(list, t.Glance()...)
	}
	return list
}
