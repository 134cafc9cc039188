package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// The counter file holds the highest id ever used and the size of all closed artifacts in bytes, as two numbers of fixed
// width, so that one small write replaces them and needs no additional space on a full disk.
const (
	counterName   = ".counter"
	counterFormat = "%019d %019d\n"
	counterSize   = 40
	maxID         = 1e17 // a larger number was not written by this package
)

// rescanEvery is the number of ids after which the total is recomputed from the directory, because artifacts of killed
// writers are never added to it.
const rescanEvery = 256

// counter is the open and locked counter file. Closing the file releases the lock.
type counter struct {
	f     *os.File
	last  int64 // highest id ever used
	total int64 // bytes on disk, see diskUsage
}

// openCounter opens, locks and reads the counter. A missing or damaged counter is rebuilt from the directory. If the lock
// cannot be acquired in time, openCounter continues without it: O_EXCL still keeps ids distinct.
func openCounter(root *os.Root) (*counter, error) {
	f, err := openFile(root, counterName, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = createFile(root, counterName)
		if errors.Is(err, fs.ErrExist) {
			f, err = openFile(root, counterName, os.O_RDWR)
		}
	}
	if err != nil {
		return nil, err
	}
	c := &counter{f: f}
	if _, err := lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", counterName, err)
	}
	if !c.read() {
		if err := c.rebuild(root); err != nil {
			f.Close()
			return nil, err
		}
	}
	return c, nil
}

func (c *counter) close() { c.f.Close() }

func (c *counter) read() bool {
	var buf [counterSize]byte
	if n, _ := c.f.ReadAt(buf[:], 0); n != counterSize {
		return false
	}
	n, err := fmt.Sscanf(string(buf[:]), "%d %d\n", &c.last, &c.total)
	return err == nil && n == 2 && c.last >= 0 && c.last < maxID && c.total >= 0
}

func (c *counter) write() error {
	_, err := c.f.WriteAt(fmt.Appendf(nil, counterFormat, c.last, max(c.total, 0)), 0)
	return err
}

func (c *counter) rebuild(root *os.Root) error {
	files, err := scan(root)
	if err != nil {
		return err
	}
	c.last, c.total = 0, 0
	for _, f := range files {
		c.last = max(c.last, f.id)
		c.total += f.bytes
	}
	return nil
}

// allocate returns the next id with its new, empty, locked log. rescan reports whether the total must be recomputed.
func allocate(root *os.Root) (id int64, log *os.File, rescan bool, err error) {
	c, err := openCounter(root)
	if err != nil {
		return 0, nil, false, err
	}
	defer c.close()
	for range 8 {
		// The counter is written before the file exists: a crash in between skips an id but never reuses one.
		c.last++
		if err := c.write(); err != nil {
			return 0, nil, false, err
		}
		log, err = createFile(root, fileName(c.last, logSuffix))
		if errors.Is(err, fs.ErrExist) {
			// There is a foreign file or link, or another process works without the lock: skip all existing ids.
			last, total := c.last, c.total
			if err := c.rebuild(root); err != nil {
				return 0, nil, false, err
			}
			c.last, c.total = max(c.last, last), total
			continue
		}
		if err != nil {
			return 0, nil, false, err
		}
		if lockNew(root, log, c.last) {
			return c.last, log, c.last%rescanEvery == 0, nil
		}
		log.Close()
	}
	return 0, nil, false, errors.New("no free artifact id")
}

// lockNew locks a new log and reports whether it succeeded before a concurrent prune could remove the log.
func lockNew(root *os.Root, log *os.File, id int64) bool {
	ok, err := lock(log)
	return err == nil && ok && !unlinked(root, log, id, logSuffix)
}

// unlinked reports whether the name of one of the artifact's files no longer refers to f.
func unlinked(root *os.Root, f *os.File, id int64, suffix string) bool {
	named, err := root.Lstat(fileName(id, suffix))
	if err != nil {
		return true
	}
	open, err := f.Stat()
	return err != nil || !os.SameFile(named, open)
}

// addToTotal adds delta bytes to the store's total and returns the new total.
func addToTotal(root *os.Root, delta int64) (total int64, err error) {
	c, err := openCounter(root)
	if err != nil {
		return 0, err
	}
	defer c.close()
	c.total = max(c.total+delta, 0)
	return c.total, c.write()
}
