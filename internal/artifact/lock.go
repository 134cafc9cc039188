package artifact

import (
	"os"
	"time"
)

// lockWait bounds every wait for a lock. Locks are held for microseconds; whoever holds one longer was stopped, and
// others must not stop with it.
const lockWait = 2 * time.Second

// lock waits for the exclusive lock of f and reports whether it was got in time.
func lock(f *os.File) (bool, error) {
	deadline := time.Now().Add(lockWait)
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, 5*time.Millisecond) {
		ok, err := tryLock(f, true)
		if ok || err != nil || time.Now().After(deadline) {
			return ok, err
		}
		time.Sleep(pause)
	}
}

// live reports whether a writer holds the log. Looking takes a shared lock for a moment, which writers wait out.
func live(root *os.Root, id int64) bool {
	f, err := openFile(root, fileName(id, logSuffix), os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	free, err := tryLock(f, false)
	return err == nil && !free
}
