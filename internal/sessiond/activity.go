package sessiond

import (
	"sync"
	"time"
)

// activity measures how long a daemon has been idle.
type activity struct {
	mu     sync.Mutex
	active int       // requests and connections in flight
	last   time.Time // when the last request began or ended
}

// request records that a request begins (1) or ends (-1).
func (a *activity) request(delta int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.active += delta
	a.last = time.Now()
}

// connection records that a client comes (1) or goes (-1). Asking for a list does not keep a daemon alive.
func (a *activity) connection(delta int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.active += delta
}

// idle returns how long nothing has been in flight.
func (a *activity) idle() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.active > 0 {
		return 0
	}
	return time.Since(a.last)
}

// untilIdle returns how long to wait before checking whether the limit is reached.
func (a *activity) untilIdle(limit time.Duration) time.Duration {
	const least = 10 * time.Millisecond // against spinning while something is in flight
	return max(limit-a.idle(), min(limit, time.Second), least)
}
