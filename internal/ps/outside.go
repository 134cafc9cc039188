package ps

import "os"

// Outside starts a child that is part of no tree, and waits for it behind the caller's back, so that it is no zombie in a
// process that lives long. Without it the child would be taken for an orphan of a command, and ended with that.
func Outside(start func() (*os.Process, error)) error {
	self.mu.Lock() // nobody looks before it is on the books
	defer self.mu.Unlock()
	p, err := start()
	if err != nil {
		return err
	}
	if self.owned == nil {
		self.owned = make(map[int]bool)
	}
	self.owned[p.Pid] = true
	go func() {
		_, _ = p.Wait()
		self.mu.Lock()
		defer self.mu.Unlock()
		delete(self.owned, p.Pid)
	}()
	return nil
}
