package artifact

import (
	"os"
	"time"
)

// lockWait is the maximum time to wait for a lock. Locks are held for microseconds; a process that holds one longer has
// been stopped, and other processes must not wait for it.
const lockWait = 2 * time.Second

// lock waits for the exclusive lock of f and reports whether it was acquired in time.
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

// hasWriter reports whether a writer has locked the log. It takes a shared lock for a moment; writers wait for that.
func hasWriter(root *os.Root, id int64) bool {
	f, err := openFile(root, fileName(id, logSuffix), os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	free, err := tryLock(f, false)
	return err == nil && !free
}
