package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// find opens the directory and settles which artifact r means. Its log is there at that moment.
func (s *Store) find(r Ref) (*os.Root, int64, error) {
	root, err := s.openDir()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, &NotFoundError{Ref: r, Dir: s.dir}
	}
	if err != nil {
		return nil, 0, err
	}
	id := r.id
	if r.last {
		id = newest(root)
	}
	if _, err := root.Lstat(fileName(id, logSuffix)); err != nil {
		root.Close()
		if errors.Is(err, fs.ErrNotExist) {
			err = &NotFoundError{Ref: r, Dir: s.dir}
		}
		return nil, 0, err
	}
	return root, id, nil
}

// newest is the highest id that has a log; 0 when there is none. The counter usually knows.
func newest(root *os.Root) int64 {
	if f, err := openFile(root, counterName, os.O_RDONLY); err == nil {
		c := counter{f: f}
		ok := c.read()
		f.Close()
		if _, err := root.Lstat(fileName(c.last, logSuffix)); ok && err == nil {
			return c.last
		}
	}
	ids, _ := logIDs(root)
	if len(ids) == 0 {
		return 0
	}
	return ids[0]
}

// logIDs returns the ids of all logs, newest first.
func logIDs(root *os.Root) ([]int64, error) {
	d, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	var ids []int64
	for _, name := range names {
		if id, suffix, ok := splitName(name); ok && suffix == logSuffix {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids, err
}

// Path is the log's file name. It is a plain file that any program may read; while an artifact is being written that
// has outgrown half of its cap, only [Store.Copy] sees all of it.
func (s *Store) Path(r Ref) (string, error) {
	root, id, err := s.find(r)
	if err != nil {
		return "", err
	}
	defer root.Close()
	return filepath.Join(s.dir, fileName(id, logSuffix)), nil
}

// Meta returns an artifact's description. See [Store.List] for what it says of artifacts that are not closed.
func (s *Store) Meta(r Ref) (Meta, error) {
	root, id, err := s.find(r)
	if err != nil {
		return Meta{}, err
	}
	defer root.Close()
	return describe(root, id), nil
}

// List returns the descriptions of the limit newest artifacts, newest first, and the number of all; limit 0 returns them
// all. For an artifact that is being written the sizes are those of the moment; one whose writer died has
// [StatusLost]. One without a readable description has its id, its size and [StatusLost]. A store that was never
// written is empty.
func (s *Store) List(limit int) (list []Meta, all int, err error) {
	root, err := s.openDir()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	ids, err := logIDs(root)
	if err != nil {
		return nil, 0, fmt.Errorf("read artifact directory %s: %w", s.dir, err)
	}
	all = len(ids)
	if limit > 0 && limit < len(ids) {
		ids = ids[:limit]
	}
	for _, id := range ids {
		list = append(list, describe(root, id))
	}
	return list, all, nil
}

// describe reads a description and sets right what the file system knows better.
func describe(root *os.Root, id int64) Meta {
	m, err := readMeta(root, id)
	if err != nil {
		m = Meta{Status: StatusLost, Writing: true, StartedAt: modTime(root, id)}
	}
	m.ID = Ref{id: id}.String()
	m.StoredBytes = logSize(root, id)
	if !m.Writing {
		return m
	}
	m.Writing = live(root, id)
	m.TotalBytes = m.StoredBytes
	if r, err := openRing(root, id, os.O_RDONLY); err == nil {
		m.TotalBytes, m.Capped = r.total, r.total > r.start+r.size
		m.StoredBytes = min(r.total, r.start+r.size)
		r.f.Close()
	}
	if !m.Writing && m.Status == StatusRunning {
		m.Status = StatusLost
	}
	return m
}

func modTime(root *os.Root, id int64) time.Time {
	info, err := root.Lstat(fileName(id, logSuffix))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

func logSize(root *os.Root, id int64) int64 {
	info, err := root.Lstat(fileName(id, logSuffix))
	if err != nil {
		return 0
	}
	return info.Size()
}
