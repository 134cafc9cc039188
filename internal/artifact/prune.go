package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"
)

// diskUsage returns the bytes on disk of an artifact with a log of size bytes: whole blocks, and one for its metadata.
// Without rounding, a store of tiny artifacts could grow without limit.
func diskUsage(size int64) int64 {
	const block = 4096
	return (size+block-1)/block*block + block
}

// stored is an artifact as found by a scan of the directory.
type stored struct {
	id      int64
	log     bool // the log exists; without it the other files are left over
	bytes   int64
	changed time.Time // last write to the log
}

// scan returns the store's artifacts, oldest first. It reads no metadata.
func scan(root *os.Root) ([]stored, error) {
	d, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	found := make(map[int64]stored)
	for {
		names, err := d.Readdirnames(1024)
		for _, name := range names {
			if id, suffix, ok := splitName(name); ok {
				found[id] = found[id].add(root, id, suffix)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	list := make([]stored, 0, len(found))
	for _, s := range found {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b stored) int {
		if a.id < b.id {
			return -1
		}
		return 1
	})
	return list, nil
}

// add adds one of the artifact's files.
func (s stored) add(root *os.Root, id int64, suffix string) stored {
	s.id = id
	if suffix != logSuffix && suffix != ringSuffix {
		return s
	}
	info, err := root.Lstat(fileName(id, suffix))
	if err != nil {
		return s
	}
	if suffix == logSuffix {
		s.log, s.changed = true, info.ModTime()
		s.bytes += diskUsage(info.Size())
	} else {
		s.bytes += info.Size()
	}
	return s
}

// removeFiles removes an artifact's files and reports whether its log existed. It removes the log first, because that is
// the file whose removal the writer checks for.
func removeFiles(root *os.Root, id int64) (bool, error) {
	err := root.Remove(fileName(id, logSuffix))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	for _, suffix := range []string{metaSuffix, ringSuffix, tempSuffix} {
		root.Remove(fileName(id, suffix))
	}
	return err == nil, nil
}

// Remove removes one artifact, even if it is being written; its writer can detect this (see [Writer.Removed]).
func (s *Store) Remove(r Ref) (Pruned, error) {
	root, id, err := s.find(r)
	if err != nil {
		return Pruned{}, err
	}
	defer root.Close()
	size := stored{}.add(root, id, logSuffix).add(root, id, ringSuffix).bytes
	existed, err := removeFiles(root, id)
	if err != nil {
		return Pruned{}, fmt.Errorf("remove artifact %d: %w", id, err)
	}
	if !existed {
		return Pruned{}, &NotFoundError{Ref: Ref{id: id}, Dir: s.dir}
	}
	addToTotal(root, -size)
	return Pruned{IDs: []int64{id}, Bytes: size}, nil
}

// Policy selects the artifacts that [Store.Prune] removes: each that exceeds any of the limits. Artifacts that are being
// written are always kept.
type Policy struct {
	Keep      int           // number of newest artifacts to keep; negative: no limit
	OlderThan time.Duration // remove artifacts last written longer ago than this; 0: no limit
	MaxTotal  int64         // remove the oldest until at most this many bytes are on disk; negative: no limit
	DryRun    bool          // only report what would be removed
}

// Pruned is the result of [Store.Prune] and [Store.Remove].
type Pruned struct {
	IDs   []int64 // removed, oldest first
	Bytes int64   // freed on disk
	Left  int     // number of artifacts kept
	Busy  int     // how many of these were kept only because they are being written
}

// Prune removes artifacts, oldest first, and files left over from killed writers. It continues after an error and returns
// the first one.
func (s *Store) Prune(p Policy) (Pruned, error) {
	root, err := s.openDir()
	if errors.Is(err, fs.ErrNotExist) {
		return Pruned{}, nil
	}
	if err != nil {
		return Pruned{}, err
	}
	defer root.Close()
	files, err := scan(root)
	if err != nil {
		return Pruned{}, fmt.Errorf("read artifact directory %s: %w", s.dir, err)
	}
	return prune(root, files, p, 0)
}

// prune implements Prune for a scanned directory. It never removes the artifact keep; 0 means none.
func prune(root *os.Root, files []stored, p Policy, keep int64) (done Pruned, first error) {
	total, count := sum(files)
	now := time.Now()
	for _, f := range files {
		if !f.log {
			total -= sweep(root, f, p.DryRun)
			continue
		}
		due := p.Keep >= 0 && count > p.Keep ||
			p.OlderThan > 0 && now.Sub(f.changed) > p.OlderThan ||
			p.MaxTotal >= 0 && total > p.MaxTotal
		if due && f.id != keep {
			switch removed, err := discard(root, f.id, p.DryRun); {
			case err != nil && first == nil:
				first = fmt.Errorf("remove artifact %d: %w", f.id, err)
			case removed:
				done.IDs = append(done.IDs, f.id)
				done.Bytes += f.bytes
				total -= f.bytes
				count--
				continue
			case err == nil:
				done.Busy++
			}
		}
		done.Left++
	}
	if !p.DryRun && len(files) > 0 {
		setTotal(root, total)
	}
	return done, first
}

// sum returns the bytes of all files and the number of logs.
func sum(files []stored) (total int64, logs int) {
	for _, f := range files {
		total += f.bytes
		if f.log {
			logs++
		}
	}
	return total, logs
}

// discard removes an artifact unless it is being written. It holds the shared lock until the files are removed, so that
// no writer can adopt the artifact in the meantime.
func discard(root *os.Root, id int64, dry bool) (removed bool, err error) {
	if f, err := openFile(root, fileName(id, logSuffix), os.O_RDONLY); err == nil {
		defer f.Close()
		if free, err := tryLock(f, false); err == nil && !free {
			return false, nil
		}
	}
	if dry {
		return true, nil
	}
	_, err = removeFiles(root, id)
	return err == nil, err
}

// sweep removes the files of an artifact without a log and returns their size. It checks for the log again, because the
// artifact may have been created during the scan.
func sweep(root *os.Root, f stored, dry bool) int64 {
	if dry {
		return 0
	}
	if _, err := root.Lstat(fileName(f.id, logSuffix)); err == nil {
		return 0
	}
	removeFiles(root, f.id)
	return f.bytes
}

// setTotal replaces the total. Artifacts closed during the scan may be missing or counted twice; the next scan corrects
// that.
func setTotal(root *os.Root, total int64) {
	c, err := openCounter(root)
	if err != nil {
		return
	}
	defer c.close()
	c.total = total
	c.write()
}

// shrink recomputes the store's total. If it exceeds the cap, shrink removes the oldest artifacts until the total is a
// tenth below the cap, so that the directory is scanned once per tenth of the cap and not on every run. It never removes
// the artifact keep.
func (s *Store) shrink(root *os.Root, keep int64) {
	files, err := scan(root)
	if err != nil {
		return
	}
	total, _ := sum(files)
	if total <= s.maxTotal {
		setTotal(root, total)
		return
	}
	setTotal(root, s.maxTotal-s.maxTotal/10) // other writers that close now need not do the same work
	prune(root, files, Policy{Keep: -1, MaxTotal: s.maxTotal - s.maxTotal/10}, keep)
}
