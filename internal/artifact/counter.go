package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// counterName is the store's memory: the highest id ever given and the bytes of all closed artifacts, as two numbers of
// fixed width, so that one small write replaces them and needs no further room on a full disk.
const (
	counterName   = ".counter"
	counterFormat = "%019d %019d\n"
	counterSize   = 40
	maxID         = 1e17 // a counter beyond it was not written by us
)

// rescanEvery is the number of ids after which the total is taken anew from the directory: artifacts of killed writers
// were never added to it.
const rescanEvery = 256

// counter is the open and locked counter file. Closing the file releases the lock.
type counter struct {
	f     *os.File
	last  int64 // highest id ever given
	total int64 // bytes on disk, see footprint
}

// openCounter opens, locks and reads the counter. One that is missing, torn or nonsense is rebuilt from the directory.
// A lock that is not to be had in time is done without: O_EXCL keeps ids distinct all the same.
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

// allocate returns the next id with its new, empty, locked log. rescan is true when the total is due to be taken anew.
func allocate(root *os.Root) (id int64, log *os.File, rescan bool, err error) {
	c, err := openCounter(root)
	if err != nil {
		return 0, nil, false, err
	}
	defer c.close()
	for range 8 {
		// The id is spent before its file exists: a crash in between costs a number, never a second use of it.
		c.last++
		if err := c.write(); err != nil {
			return 0, nil, false, err
		}
		log, err = createFile(root, fileName(c.last, logSuffix))
		if errors.Is(err, fs.ErrExist) {
			// Someone put a file or link there, or works without the lock: go past everything there is.
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
		if held(root, log, c.last) {
			return c.last, log, c.last%rescanEvery == 0, nil
		}
		log.Close()
	}
	return 0, nil, false, errors.New("no free artifact id")
}

// held locks a new log, and makes sure that no prune saw it before it was locked.
func held(root *os.Root, log *os.File, id int64) bool {
	ok, err := lock(log)
	return err == nil && ok && !gone(root, log, id, logSuffix)
}

// gone reports whether the name of one of the artifact's files no longer leads to f.
func gone(root *os.Root, f *os.File, id int64, suffix string) bool {
	named, err := root.Lstat(fileName(id, suffix))
	if err != nil {
		return true
	}
	open, err := f.Stat()
	return err != nil || !os.SameFile(named, open)
}

// account adds delta bytes to the store's total and returns the new one.
func account(root *os.Root, delta int64) (total int64, err error) {
	c, err := openCounter(root)
	if err != nil {
		return 0, err
	}
	defer c.close()
	c.total = max(c.total+delta, 0)
	return c.total, c.write()
}
