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

// find opens the directory and resolves r to an id. The log exists at that moment.
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

// newest returns the highest id that has a log, or 0. It tries the id in the counter first.
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

// Path returns the path of the log, a plain file that any program can read. While an artifact larger than half of its
// cap is being written, only [Store.Copy] reads all of it.
func (s *Store) Path(r Ref) (string, error) {
	root, id, err := s.find(r)
	if err != nil {
		return "", err
	}
	defer root.Close()
	return filepath.Join(s.dir, fileName(id, logSuffix)), nil
}

// Meta returns an artifact's metadata. See [Store.List] for artifacts that are not closed.
func (s *Store) Meta(r Ref) (Meta, error) {
	root, id, err := s.find(r)
	if err != nil {
		return Meta{}, err
	}
	defer root.Close()
	return describe(root, id), nil
}

// List returns the metadata of the newest artifacts, newest first, and the total number of artifacts. It returns at most
// limit artifacts, or all if limit is 0. The sizes of an artifact that is being written are the current ones. An artifact
// whose writer died has [StatusLost]; so has one without readable metadata, which otherwise has only its id and size. A
// directory that does not exist is an empty store.
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

// describe reads the metadata and corrects it from the state of the files.
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
	m.Writing = hasWriter(root, id)
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
