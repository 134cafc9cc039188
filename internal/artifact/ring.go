package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"unicode/utf8"
)

// The ring file holds the newest bytes of a stream that is longer than the first half of the cap. Its first line is a
// header from which a reader can reconstruct the order of the bytes even after the writer died: the artifact's cap, the
// length of the stream in bytes, its newlines, the length of the log's head once [ring.assemble] has determined it, and a
// checksum for readers that read the line while it is being replaced. The data starts at ringData.
const (
	ringFormat = "%019d %019d %019d %019d "
	ringHeader = 80   // length in bytes without the checksum
	ringData   = 4096 // one page, so that the data is aligned
)

const (
	copyBlock = 256 << 10 // block size in bytes for reading a file
	cutWindow = 4 << 10   // maximum distance in bytes by which a cut moves to a line start; at most 1/8 of its half
	noticeMax = 96        // maximum length of the notice in bytes
)

var newline = []byte{'\n'}

// ring keeps the last size bytes of the stream, whose first start bytes are in the log. Byte p of the stream, counted
// from 0, is at position (p-start) mod size.
type ring struct {
	f        *os.File
	start    int64
	size     int64
	total    int64 // length of the stream
	newlines int64 // newlines in the stream
	head     int64 // final length of the log's head; 0 means not determined yet
}

// createRing creates the ring of an artifact with the cap max, whose stream has max/2 bytes and the given newlines.
func createRing(root *os.Root, id, max, newlines int64) (*ring, error) {
	f, err := createFile(root, fileName(id, ringSuffix))
	if err != nil {
		return nil, err
	}
	r := &ring{f: f, start: max / 2, size: max - max/2, total: max / 2, newlines: newlines}
	if err := r.writeHeader(); err != nil {
		r.remove(root, id)
		return nil, err
	}
	return r, nil
}

// openRing opens an existing ring.
func openRing(root *os.Root, id int64, flag int) (*ring, error) {
	f, err := openFile(root, fileName(id, ringSuffix), flag)
	if err != nil {
		return nil, err
	}
	r := &ring{f: f}
	if err := r.refresh(); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// errNoHeader means that a ring has been created but is still empty.
var errNoHeader = errors.New("the ring has no header yet")

// refresh reads the header. It retries while the header is being replaced.
func (r *ring) refresh() (err error) {
	for range 10 {
		var buf [ringHeader + 9]byte
		var n int
		if n, err = r.f.ReadAt(buf[:], 0); n == 0 && err == io.EOF {
			return errNoHeader
		}
		if err == nil && string(buf[ringHeader:]) == checksum(buf[:ringHeader]) {
			return r.parse(string(buf[:ringHeader]))
		}
	}
	return fmt.Errorf("%s is damaged", r.f.Name())
}

func (r *ring) parse(header string) error {
	var max int64
	_, err := fmt.Sscanf(header, ringFormat, &max, &r.total, &r.newlines, &r.head)
	r.start, r.size = max/2, max-max/2
	if err != nil || max < minMaxBytes || r.total < r.start || r.head < 0 || r.head > r.start {
		return fmt.Errorf("%s is damaged", r.f.Name())
	}
	return nil
}

func (r *ring) writeHeader() error {
	var buf [ringHeader + 9]byte
	line := fmt.Appendf(buf[:0], ringFormat, r.start+r.size, r.total, r.newlines, r.head)
	_, err := r.f.WriteAt(append(line, checksum(line)...), 0)
	return err
}

func checksum(p []byte) string {
	h := fnv.New32a()
	h.Write(p)
	return fmt.Sprintf("%08x\n", h.Sum32())
}

// write appends p to the stream, overwriting its oldest bytes. It writes p in pieces and updates the header after each:
// all bytes that the header counts are written, and at most one piece of the oldest bytes is already overwritten.
func (r *ring) write(p []byte) error {
	for piece := r.piece(); len(p) > 0; {
		n := min(int64(len(p)), piece)
		if err := r.put(p[:n]); err != nil {
			return err
		}
		r.total, r.newlines = r.total+n, r.newlines+int64(bytes.Count(p[:n], newline))
		p = p[n:]
		if err := r.writeHeader(); err != nil {
			return err
		}
	}
	return nil
}

// piece returns the maximum number of bytes that are overwritten before the header is updated.
func (r *ring) piece() int64 { return min(64<<10, r.size/8) }

func (r *ring) put(p []byte) error {
	for at := r.total; len(p) > 0; {
		pos := (at - r.start) % r.size
		n := min(int64(len(p)), r.size-pos)
		if _, err := r.f.WriteAt(p[:n], ringData+pos); err != nil {
			return err
		}
		p, at = p[n:], at+n
	}
	return nil
}

// ReadAt reads the stream at offset off, which must be in the part that the ring still contains.
func (r *ring) ReadAt(p []byte, off int64) (n int, err error) {
	for len(p) > 0 && off < r.total {
		pos := (off - r.start) % r.size
		want := min(int64(len(p)), r.size-pos, r.total-off)
		k, err := r.f.ReadAt(p[:want], ringData+pos)
		n, off, p = n+k, off+int64(k), p[k:]
		if err != nil && int64(k) < want {
			return n, err
		}
	}
	if len(p) > 0 {
		return n, io.EOF
	}
	return n, nil
}

func (r *ring) remove(root *os.Root, id int64) {
	r.f.Close()
	root.Remove(fileName(id, ringSuffix))
}

// layout describes how a stream is arranged in a log of at most max bytes: head, notice, tail. A stream that fits has no
// notice, and its tail begins where its head ends.
type layout struct {
	head, tail int64 // length of the head; offset of the tail in the stream
	notice     string
	leftOut    *LeftOut
}

// plan determines the layout. It reads log only up to the ring's start. tail is r, or a guardedRing for a reader that runs
// concurrently with the writer. Such a reader avoids the slack oldest bytes, which the writer may be overwriting.
func (r *ring) plan(log, tail io.ReaderAt, slack int64) (layout, error) {
	max := r.start + r.size
	if r.total+slack <= max {
		return layout{head: r.start, tail: r.start}, nil
	}
	var l layout
	var err error
	if l.head = r.head; l.head == 0 {
		if l.head, err = cutBefore(log, r.start); err != nil {
			return l, err
		}
	}
	oldest := r.total - (r.size - noticeMax - slack)
	if l.tail, err = cutAfter(tail, oldest, r.total, r.size/8); err != nil {
		return l, err
	}
	inHead, err := countNewlines(log, 0, l.head)
	if err != nil {
		return l, err
	}
	inTail, err := countNewlines(tail, l.tail, r.total)
	if err != nil {
		return l, err
	}
	l.leftOut = &LeftOut{Offset: l.head, Bytes: l.tail - l.head, Lines: r.newlines - inHead - inTail}
	l.notice, err = notice(log, l)
	return l, err
}

// notice returns the line that replaces the middle. It begins with a newline when the head ends inside a line.
func notice(log io.ReaderAt, l layout) (string, error) {
	var last [1]byte
	if _, err := log.ReadAt(last[:], l.head-1); err != nil {
		return "", err
	}
	text := fmt.Sprintf("[… %d bytes (%d lines) left out here …]\n", l.leftOut.Bytes, l.leftOut.Lines)
	if last[0] != '\n' {
		text = "\n" + text
	}
	return text, nil
}

// cutBefore returns the last line start at or before end, if there is one nearby, else the last character boundary.
func cutBefore(src io.ReaderAt, end int64) (int64, error) {
	buf := make([]byte, min(cutWindow, max(end/8, utf8.UTFMax)))
	if _, err := src.ReadAt(buf, end-int64(len(buf))); err != nil {
		return 0, err
	}
	if i := bytes.LastIndexByte(buf, '\n'); i >= 0 {
		return end - int64(len(buf)-i-1), nil
	}
	return end - int64(incomplete(buf)), nil
}

// incomplete returns the number of bytes of an incomplete character at the end of b.
func incomplete(b []byte) int {
	for i := 1; i <= min(utf8.UTFMax, len(b)); i++ {
		if tail := b[len(b)-i:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return i
		}
	}
	return 0
}

// cutAfter returns the first line start at or after off, if there is one within the window, else the next character
// boundary.
func cutAfter(src io.ReaderAt, off, end, window int64) (int64, error) {
	buf := make([]byte, min(cutWindow, max(window, utf8.UTFMax), end-off)+1)
	if _, err := src.ReadAt(buf, off-1); err != nil { // the byte before shows whether off is a line start
		return 0, err
	}
	if i := bytes.IndexByte(buf, '\n'); i >= 0 && off+int64(i) < end {
		return off + int64(i), nil
	}
	for i, c := range buf[1:] {
		if i < utf8.UTFMax && utf8.RuneStart(c) {
			return off + int64(i), nil
		}
	}
	return off, nil
}

func countNewlines(src io.ReaderAt, from, to int64) (n int64, err error) {
	err = eachBlock(src, from, to, copyBlock, func(p []byte) error {
		n += int64(bytes.Count(p, newline))
		return nil
	})
	return n, err
}

// eachBlock calls do with the bytes from ≤ p < to of src, in order, at most block bytes at a time. The slice is only
// valid during the call.
func eachBlock(src io.ReaderAt, from, to, block int64, do func([]byte) error) error {
	buf := make([]byte, min(block, max(to-from, 0)))
	for from < to {
		n, err := src.ReadAt(buf[:min(int64(len(buf)), to-from)], from)
		if n == 0 {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		if err := do(buf[:n]); err != nil {
			return err
		}
		from += int64(n)
	}
	return nil
}

type assembled struct {
	size    int64
	leftOut *LeftOut
}

// assemble writes the notice and the tail after the head in the log. It first records the head's length in the ring and
// does not change the ring's data, so an interruption at any point loses nothing.
func (r *ring) assemble(log *os.File) (assembled, error) {
	l, err := r.plan(log, r, 0)
	if err != nil {
		return assembled{}, err
	}
	r.head = l.head
	if err := r.writeHeader(); err != nil {
		return assembled{}, err
	}
	at := l.head
	put := func(p []byte) error {
		n, err := log.WriteAt(p, at)
		at += int64(n)
		return err
	}
	if err := log.Truncate(l.head); err != nil {
		return assembled{}, err
	}
	if err := put([]byte(l.notice)); err != nil {
		return assembled{}, err
	}
	if err := eachBlock(r, l.tail, r.total, copyBlock, put); err != nil {
		return assembled{}, err
	}
	return assembled{size: at, leftOut: l.leftOut}, nil
}
