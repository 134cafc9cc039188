package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// view presents an artifact's text as one readable range, whatever state its files are in. It consists of consecutive
// parts, each a section of an io.ReaderAt.
type view struct {
	parts []part
	size  int64
	files []*os.File
	block int64 // block size in bytes for reading the text
}

type part struct {
	src  io.ReaderAt
	file *os.File // set when src is a plain file, so that the kernel can copy its bytes
	off  int64    // offset of the part in src
	at   int64    // offset of the part in the view
	size int64
}

// errChanged means that the writer closed the artifact while it was being opened; opening it again succeeds.
var errChanged = errors.New("the artifact changed while being opened")

// openView opens the current state of an artifact; the view does not include later writes.
func openView(root *os.Root, id int64) (v *view, err error) {
	for range 5 {
		v, err = tryOpenView(root, id)
		if !errors.Is(err, errChanged) {
			break
		}
	}
	return v, err
}

func tryOpenView(root *os.Root, id int64) (*view, error) {
	log, err := openFile(root, fileName(id, logSuffix), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	v := &view{files: []*os.File{log}, block: copyBlock}
	if err := v.fill(root, id, log); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

func (v *view) fill(root *os.Root, id int64, log *os.File) error {
	info, err := log.Stat()
	if err != nil {
		return err
	}
	r, err := openRing(root, id, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNoHeader) {
		v.add(log, log, 0, info.Size())
		return nil
	}
	if err != nil {
		return err
	}
	v.files = append(v.files, r.f)
	l, err := r.plan(log, guardedRing{r}, r.piece())
	if err != nil {
		return err
	}
	if settled := r.head != 0; !settled {
		if err := r.refresh(); err != nil || r.head != 0 || unlinked(root, r.f, id, ringSuffix) {
			return errChanged
		}
	}
	v.add(log, log, 0, l.head)
	v.add(strings.NewReader(l.notice), nil, 0, int64(len(l.notice)))
	v.add(guardedRing{r}, nil, l.tail, r.total-l.tail)
	return nil
}

func (v *view) add(src io.ReaderAt, file *os.File, off, size int64) {
	if size > 0 {
		v.parts = append(v.parts, part{src: src, file: file, off: off, at: v.size, size: size})
		v.size += size
	}
}

func (v *view) close() {
	for _, f := range v.files {
		f.Close()
	}
}

// ReadAt reads across the parts.
func (v *view) ReadAt(p []byte, off int64) (n int, err error) {
	for _, part := range v.parts {
		if off >= part.at+part.size || len(p) == 0 {
			continue
		}
		in := off - part.at
		want := min(int64(len(p)), part.size-in)
		k, err := part.src.ReadAt(p[:want], part.off+in)
		n, off, p = n+k, off+int64(k), p[k:]
		if int64(k) < want {
			return n, err
		}
	}
	if len(p) > 0 {
		return n, io.EOF
	}
	return n, nil
}

// copy writes the bytes from ≤ p < to. It passes plain files to w as files, so that the kernel can copy the bytes.
func (v *view) copy(w io.Writer, from, to int64) (n int64, err error) {
	for _, p := range v.parts {
		a, b := max(from, p.at), min(to, p.at+p.size)
		if a >= b {
			continue
		}
		k, err := p.copy(w, p.off+a-p.at, b-a)
		n += k
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func (p part) copy(w io.Writer, off, size int64) (int64, error) {
	if p.file == nil {
		return io.CopyBuffer(w, io.NewSectionReader(p.src, off, size), make([]byte, min(size, copyBlock)))
	}
	if _, err := p.file.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	return io.Copy(w, io.LimitReader(p.file, size))
}

// guardedRing reads a ring while its writer may be overwriting it. It fails rather than return overwritten bytes.
type guardedRing struct{ r *ring }

func (g guardedRing) ReadAt(p []byte, off int64) (int, error) {
	n, err := g.r.ReadAt(p, off)
	now := *g.r
	if e := now.refresh(); e != nil {
		return 0, e
	}
	if off < now.total+now.piece()-now.size {
		return 0, fmt.Errorf("the artifact is being written faster than it can be read; try again when its command has ended")
	}
	return n, err
}
