package artifact

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
)

// errStop ends a pass over the lines early.
var errStop = errors.New("stop")

// search is one pass over an artifact's lines.
type search struct {
	v      *view
	w      *bufio.Writer
	re     *regexp.Regexp
	number bool
	want   int64 // remaining matches to find; negative: all
	last   int64 // last line to search
	prefix []byte
	line   int64 // number of the current line
	done   Copied
}

// grep writes the lines that match. It matches a line that does not fit into the buffer directly from the file, rune by
// rune, so that lines of any length are searched completely, and copies it from there.
func (v *view) grep(w io.Writer, sel Selection) (Copied, error) {
	prefix, _ := sel.Grep.LiteralPrefix()
	s := &search{v: v, w: bufio.NewWriterSize(w, 64<<10), re: sel.Grep, number: sel.Number, want: -1,
		last: 1<<63 - 1, prefix: []byte(prefix), line: 1, done: Copied{Size: v.size}}
	var from int64
	if sel.Head != nil {
		s.want = *sel.Head
	}
	if sel.Lines != nil {
		start, left, err := v.skipLines(0, sel.Lines.From-1)
		if err != nil {
			return s.done, err
		}
		if start == v.size {
			s.done.PastEnd, s.done.Lines = true, sel.Lines.From-1-left
		}
		from, s.line, s.last = start, sel.Lines.From, sel.Lines.To
	}
	err := s.run(from)
	if errors.Is(err, errStop) {
		err = nil
	}
	if e := s.w.Flush(); err == nil {
		err = e
	}
	return s.done, err
}

// run reads block by block; the incomplete line at the end of a block is read again with the next block.
func (s *search) run(at int64) error {
	buf := make([]byte, min(s.v.block, s.v.size-at))
	for at < s.v.size {
		p := buf[:min(int64(len(buf)), s.v.size-at)]
		if k, err := s.v.ReadAt(p, at); k < len(p) {
			return err
		}
		end := bytes.LastIndexByte(p, '\n') + 1
		switch {
		case at+int64(len(p)) == s.v.size:
			end = len(p) // the last line needs no newline
		case end == 0:
			next, err := s.long(at)
			if err != nil {
				return err
			}
			at = next
			continue
		}
		if err := s.block(p[:end]); err != nil {
			return err
		}
		at += int64(end)
	}
	return nil
}

// block searches complete lines. If every match begins with a literal, lines without it are skipped.
func (s *search) block(p []byte) error {
	for len(p) > 0 {
		if skip := s.skippable(p); skip > 0 {
			s.line += int64(bytes.Count(p[:skip], newline))
			p = p[skip:]
			continue
		}
		if s.finished() {
			return errStop
		}
		line, rest := p, []byte(nil)
		if i := bytes.IndexByte(p, '\n'); i >= 0 {
			line, rest = p[:i], p[i+1:]
		}
		if s.re.Match(line) {
			if err := s.emit(func() (int64, error) { n, err := s.w.Write(line); return int64(n), err }); err != nil {
				return err
			}
		}
		s.line++
		p = rest
	}
	return nil
}

// skippable returns the length of the lines of p before the one with the next candidate.
func (s *search) skippable(p []byte) int {
	if len(s.prefix) == 0 {
		return 0
	}
	i := bytes.Index(p, s.prefix)
	if i < 0 {
		return len(p)
	}
	return bytes.LastIndexByte(p[:i], '\n') + 1
}

// finished reports whether no further line has to be searched.
func (s *search) finished() bool { return s.want == 0 || s.line > s.last }

// long searches the line at offset at, which is longer than a block, and returns the offset of the next.
func (s *search) long(at int64) (next int64, err error) {
	if s.finished() {
		return 0, errStop
	}
	next, _, err = s.v.skipLines(at, 1)
	if err != nil {
		return 0, err
	}
	end := next
	if next < s.v.size || s.v.endsLine() {
		end-- // without its newline
	}
	if s.re.MatchReader(bufio.NewReaderSize(io.NewSectionReader(s.v, at, end-at), 64<<10)) {
		if err := s.emit(func() (int64, error) { return s.v.copy(s.w, at, end) }); err != nil {
			return 0, err
		}
	}
	s.line++
	return next, nil
}

// emit writes one matching line.
func (s *search) emit(text func() (int64, error)) error {
	var prefix []byte
	if s.number {
		prefix = append(strconv.AppendInt(nil, s.line, 10), ':')
		if _, err := s.w.Write(prefix); err != nil {
			return err
		}
	}
	n, err := text()
	if err != nil {
		return err
	}
	s.done.Matches++
	s.done.Bytes += int64(len(prefix)) + n + 1
	s.want--
	return s.w.WriteByte('\n')
}
