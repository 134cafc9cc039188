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

// footprint is what an artifact of so many bytes costs on disk: whole blocks, and one for its description. Counting
// bytes alone would let a store of tiny artifacts grow without end.
func footprint(size int64) int64 {
	const block = 4096
	return (size+block-1)/block*block + block
}

// stored is an artifact as a scan of the directory sees it.
type stored struct {
	id      int64
	log     bool // there is a log; without one the rest is debris
	bytes   int64
	changed time.Time // last write to the log
}

// scan lists the store's artifacts, oldest first. It reads no descriptions.
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

// add looks at one of the artifact's files.
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
		s.bytes += footprint(info.Size())
	} else {
		s.bytes += info.Size()
	}
	return s
}

// removeFiles removes an artifact's files and reports whether its log was there. The log goes first: its writer looks for
// nothing else.
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

// Remove removes one artifact, also one that is being written: its writer then finds out (see [Writer.Removed]).
func (s *Store) Remove(r Ref) (Pruned, error) {
	root, id, err := s.find(r)
	if err != nil {
		return Pruned{}, err
	}
	defer root.Close()
	size := stored{}.add(root, id, logSuffix).add(root, id, ringSuffix).bytes
	there, err := removeFiles(root, id)
	if err != nil {
		return Pruned{}, fmt.Errorf("remove artifact %d: %w", id, err)
	}
	if !there {
		return Pruned{}, &NotFoundError{Ref: Ref{id: id}, Dir: s.dir}
	}
	account(root, -size)
	return Pruned{IDs: []int64{id}, Bytes: size}, nil
}

// Policy says which artifacts [Store.Prune] removes: each that breaks any of the limits. Artifacts that are being
// written always stay.
type Policy struct {
	Keep      int           // keep so many, the newest; negative: no such limit
	OlderThan time.Duration // remove what was last written longer ago; 0: no such limit
	MaxTotal  int64         // remove the oldest until so many bytes are left on disk; negative: no such limit
	DryRun    bool          // remove nothing, only tell
}

// Pruned is what [Store.Prune] did or would do, and [Store.Remove] did.
type Pruned struct {
	IDs   []int64 // removed, oldest first
	Bytes int64   // freed on disk
	Left  int     // artifacts that stay
	Busy  int     // of these, how many stay only because they are being written
}

// Prune removes artifacts, oldest first, and sweeps the debris of writers that were killed. Of the errors it met it
// returns the first, after having done what it could.
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

// prune is Prune for a directory that was read already; the artifact spare stays, 0 spares none.
func prune(root *os.Root, files []stored, p Policy, spare int64) (done Pruned, first error) {
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
		if due && f.id != spare {
			switch gone, err := discard(root, f.id, p.DryRun); {
			case err != nil && first == nil:
				first = fmt.Errorf("remove artifact %d: %w", f.id, err)
			case gone:
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
		settle(root, total)
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

// discard removes an artifact unless it is being written. The shared lock is kept until the files are gone, so that no
// writer can adopt the artifact meanwhile.
func discard(root *os.Root, id int64, dry bool) (gone bool, err error) {
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

// sweep removes files without a log and returns their size. The second look spares an artifact that was being created
// while the directory was read.
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

// settle writes the true total. Closes that were accounted during the scan may be lost or counted twice; the next scan
// corrects that.
func settle(root *os.Root, total int64) {
	c, err := openCounter(root)
	if err != nil {
		return
	}
	defer c.close()
	c.total = total
	c.write()
}

// shrink takes the store's total anew and, when it is over the cap, removes the oldest artifacts until a tenth below
// it, so that the directory is read once for each tenth of the cap that is written, not on every run. spare stays.
func (s *Store) shrink(root *os.Root, spare int64) {
	files, err := scan(root)
	if err != nil {
		return
	}
	total, _ := sum(files)
	if total <= s.maxTotal {
		settle(root, total)
		return
	}
	settle(root, s.maxTotal-s.maxTotal/10) // others that close now need not do the same work
	prune(root, files, Policy{Keep: -1, MaxTotal: s.maxTotal - s.maxTotal/10}, spare)
}
