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

// The ring file holds the newest bytes of a stream that has outgrown the first half of its log. Its first line tells how
// far it is, so that a reader can put the pieces in order whatever happened to the writer: the artifact's cap, stream
// length in bytes, newlines, the length of the log's head once [ring.assemble] has settled it, and a checksum of all that
// for readers that look while the line is replaced. Data start at ringData.
const (
	ringFormat = "%019d %019d %019d %019d "
	ringHeader = 80   // bytes without the checksum
	ringData   = 4096 // a page, so that data stay aligned
)

const (
	copyBlock = 256 << 10 // unit of every pass over a file
	cutWindow = 4 << 10   // how far a cut may move to fall on a line start, in bytes; never more than 1/8 of its half
	noticeMax = 96        // room for the notice with the longest numbers
)

var newline = []byte{'\n'}

// ring keeps the last size bytes of the stream, whose first start bytes are in the log. Byte p of the stream, counted
// from 0, has its place at (p-start) mod size.
type ring struct {
	f       *os.File
	start   int64
	size    int64
	total   int64 // length of the stream
	newline int64 // newlines in the stream
	head    int64 // settled length of the log's head, 0 = not settled
}

// createRing creates the ring of an artifact whose cap is max and whose stream is max/2 bytes long, newlines among them.
func createRing(root *os.Root, id, max, newlines int64) (*ring, error) {
	f, err := createFile(root, fileName(id, ringSuffix))
	if err != nil {
		return nil, err
	}
	r := &ring{f: f, start: max / 2, size: max - max/2, total: max / 2, newline: newlines}
	if err := r.writeHeader(); err != nil {
		r.remove(root, id)
		return nil, err
	}
	return r, nil
}

// openRing opens the ring that a writer left or is using.
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

// errNoHeader reports that a ring was made and nothing is in it yet.
var errNoHeader = errors.New("the ring has no header yet")

// refresh reads the header. One that is being replaced at this moment is read again.
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
	_, err := fmt.Sscanf(header, ringFormat, &max, &r.total, &r.newline, &r.head)
	r.start, r.size = max/2, max-max/2
	if err != nil || max < minMaxBytes || r.total < r.start || r.head < 0 || r.head > r.start {
		return fmt.Errorf("%s is damaged", r.f.Name())
	}
	return nil
}

func (r *ring) writeHeader() error {
	var buf [ringHeader + 9]byte
	line := fmt.Appendf(buf[:0], ringFormat, r.start+r.size, r.total, r.newline, r.head)
	_, err := r.f.WriteAt(append(line, checksum(line)...), 0)
	return err
}

func checksum(p []byte) string {
	h := fnv.New32a()
	h.Write(p)
	return fmt.Sprintf("%08x\n", h.Sum32())
}

// write appends p to the stream, over its oldest bytes. It goes in pieces, and the header follows each: all that a header
// counts is there, and of the oldest bytes at most one piece is overwritten already.
func (r *ring) write(p []byte) error {
	for piece := r.piece(); len(p) > 0; {
		n := min(int64(len(p)), piece)
		if err := r.put(p[:n]); err != nil {
			return err
		}
		r.total, r.newline = r.total+n, r.newline+int64(bytes.Count(p[:n], newline))
		p = p[n:]
		if err := r.writeHeader(); err != nil {
			return err
		}
	}
	return nil
}

// piece is the most that is overwritten without a new header, in bytes.
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

// ReadAt reads the stream at offset off, which must lie in the part that the ring still holds.
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

// layout is how a stream is laid out in a log of at most max bytes: its head, a notice, its tail. A stream that fits has
// no notice, and its tail begins where its head ends.
type layout struct {
	head, tail int64 // the head's length; where the tail begins in the stream
	notice     string
	leftOut    *LeftOut
}

// plan settles the layout. log is read up to the ring's start only. Tail is r, or a guarded r for a reader beside the
// writer, who keeps clear of the slack oldest bytes that may be overwritten at this moment.
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
	l.leftOut = &LeftOut{Offset: l.head, Bytes: l.tail - l.head, Lines: r.newline - inHead - inTail}
	l.notice, err = notice(log, l)
	return l, err
}

// notice is the line that stands for the middle. It begins with a newline when the head ends inside a line.
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

// cutBefore returns the last line start at or before end, if one is near, else the last character border.
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

// incomplete is the number of bytes at the end of b that begin a character without finishing it.
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

// cutAfter returns the first line start at or after off, if one is within the window, else the next character border.
func cutAfter(src io.ReaderAt, off, end, window int64) (int64, error) {
	buf := make([]byte, min(cutWindow, max(window, utf8.UTFMax), end-off)+1)
	if _, err := src.ReadAt(buf, off-1); err != nil { // the byte before tells if off itself starts a line
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

// eachBlock hands the bytes from ≤ p < to of src to do, in order, at most block at a time. They are valid during the
// call only.
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

// assemble writes notice and tail behind the head in the log. The head's length is settled in the ring first and the
// ring stays untouched, so the work can be broken off anywhere without loss.
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
