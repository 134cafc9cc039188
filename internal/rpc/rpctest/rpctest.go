// Package rpctest plays recorded exchanges with a server of package rpc, for tests of the server, of the programs that
// contain it and of its documentation.
//
// A record is text. A line that starts with # names an exchange, `> ` precedes a line for the server, `>> ` a Go string of
// bytes for it, and `< ` an expected message. In expected messages a string "…" stands for any value, … within a string
// for any text, and a field named "…" for any further fields. $DIR is a directory of the test's own, $LONG a word of
// 200,000 letters.
//
// A reply must be the next one with its id. Events that do not match are skipped. Every reply must be expected.
package rpctest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Patience bounds the wait for one message.
const Patience = 60 * time.Second

const long = 200_000

// Exchange is a named conversation.
type Exchange struct {
	Name  string
	Steps []Step
}

// Step is one line: bytes to send, or a message to receive.
type Step struct {
	Line int // in the file
	Send []byte
	Want string
}

// Load reads a record.
func Load(t testing.TB, file string) []Exchange {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := parse(string(text), 1)
	if err != nil {
		t.Fatalf("%s:%v", file, err)
	}
	return list
}

// LoadMarkdown reads the fenced blocks of the language "rpc" of a document. Each heading starts a new exchange.
func LoadMarkdown(t testing.TB, file string) []Exchange {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []Exchange
	heading, block, from := "", strings.Builder{}, 0
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case from == 0 && strings.HasPrefix(line, "#"):
			heading = line
		case line == "```rpc":
			from = i + 2
			block.Reset()
			block.WriteString(heading + "\n")
		case from > 0 && line == "```":
			more, err := parse(block.String(), from-1)
			if err != nil {
				t.Fatalf("%s:%v", file, err)
			}
			list, from = append(list, more...), 0
		case from > 0:
			block.WriteString(line + "\n")
		}
	}
	return list
}

func parse(text string, first int) (list []Exchange, err error) {
	for i, line := range strings.Split(text, "\n") {
		s := Step{Line: first + i}
		switch kind, rest, _ := strings.Cut(line, " "); {
		case line == "":
			continue
		case strings.HasPrefix(kind, "#"):
			list = append(list, Exchange{Name: rest})
			continue
		case kind == ">":
			s.Send = []byte(rest + "\n")
		case kind == ">>":
			raw, err := strconv.Unquote(rest)
			if err != nil {
				return nil, fmt.Errorf("%d: %w", s.Line, err)
			}
			s.Send = []byte(raw)
		case kind == "<":
			s.Want = rest
		default:
			return nil, fmt.Errorf("%d: line of no known kind", s.Line)
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("%d: an exchange needs a name", s.Line)
		}
		at := &list[len(list)-1]
		at.Steps = append(at.Steps, s)
	}
	return list, nil
}

// Player plays exchanges over a stream.
type Player struct {
	// Rewrite changes what is sent; nil: nothing.
	Rewrite func(line []byte) []byte
	// Check is called with every line sent and every message received; may be nil.
	Check func(t testing.TB, sent bool, line []byte)
	Dir   string

	w        io.Writer
	messages chan []byte
	waiting  [][]byte
}

// Start starts to read from a stream, until it is closed.
func (p *Player) Start(r io.Reader, w io.Writer) {
	p.w, p.messages = w, make(chan []byte, 1024)
	go func() {
		defer close(p.messages)
		for b := bufio.NewReaderSize(r, 1<<20); ; {
			line, err := b.ReadBytes('\n')
			if err != nil {
				return
			}
			p.messages <- line
		}
	}()
}

// Play plays one exchange.
func (p *Player) Play(t testing.TB, x Exchange) {
	t.Helper()
	for _, s := range x.Steps {
		if s.Send != nil {
			p.send(t, s)
			continue
		}
		p.expect(t, s)
	}
	for _, m := range p.waiting {
		if kind, _ := address(m); kind == "response" {
			t.Errorf("nobody waited for %s", m)
		}
	}
	p.waiting = nil
}

func (p *Player) send(t testing.TB, s Step) {
	line := bytes.ReplaceAll(s.Send, []byte("$DIR"), []byte(p.Dir))
	line = bytes.ReplaceAll(line, []byte("$LONG"), bytes.Repeat([]byte("x"), long))
	if p.Check != nil && bytes.HasPrefix(line, []byte("{")) && json.Valid(line) {
		p.Check(t, true, line)
	}
	if p.Rewrite != nil {
		line = p.Rewrite(line)
	}
	if _, err := p.w.Write(line); err != nil {
		t.Fatalf("line %d: %v", s.Line, err)
	}
}

// expect receives messages until the expected one.
func (p *Player) expect(t testing.TB, s Step) {
	t.Helper()
	want := strings.ReplaceAll(s.Want, "$DIR", p.Dir)
	kind, id := address([]byte(want))
	for i := 0; i < len(p.waiting); i++ {
		k, n := address(p.waiting[i])
		if k != kind || n != id {
			continue
		}
		m := p.waiting[i]
		p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
		i--
		if done := p.judge(t, s, kind, want, m); done {
			return
		}
	}
	for timeout := time.After(Patience); ; {
		select {
		case m, ok := <-p.messages:
			if !ok {
				t.Fatalf("line %d: the stream ended before %s", s.Line, want)
			}
			if p.Check != nil {
				p.Check(t, false, m)
			}
			if k, n := address(m); k != kind || n != id {
				p.waiting = append(p.waiting, m)
				continue
			}
			if done := p.judge(t, s, kind, want, m); done {
				return
			}
		case <-timeout:
			t.Fatalf("line %d: %s did not come; unclaimed are %s", s.Line, want, p.waiting)
		}
	}
}

// judge compares a message of the right kind and id. An event that does not match is skipped.
func (p *Player) judge(t testing.TB, s Step, kind, want string, got []byte) (done bool) {
	t.Helper()
	fits := Fits(want, string(got))
	if !fits && kind == "response" {
		t.Errorf("line %d: got  %s\nwant %s", s.Line, bytes.TrimSpace(got), want)
	}
	return fits || kind == "response"
}

// address returns type and id of a message.
func address(line []byte) (kind, id string) {
	var m struct {
		Type string          `json:"type"`
		ID   json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(line, &m)
	var name string
	if json.Unmarshal(m.ID, &name) == nil && len(m.ID) > 0 && m.ID[0] == '"' {
		return m.Type, strconv.Quote(name)
	}
	return m.Type, string(m.ID)
}

// Fits reports whether a message matches what was expected.
func Fits(want, got string) bool {
	w, err1 := value(want)
	g, err2 := value(got)
	return err1 == nil && err2 == nil && fits(w, g)
}

func value(text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

const wild = "…"

func fits(want, got any) bool {
	switch w := want.(type) {
	case string:
		g, ok := got.(string)
		return w == wild || ok && glob(w, g)
	case map[string]any:
		g, ok := got.(map[string]any)
		return ok && fitsObject(w, g)
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !fits(w[i], g[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(want, got)
}

func fitsObject(want, got map[string]any) bool {
	_, open := want[wild]
	for k := range got {
		if _, named := want[k]; !named && !open {
			return false
		}
	}
	for k, w := range want {
		g, there := got[k]
		if k != wild && (!there || !fits(w, g)) {
			return false
		}
	}
	return true
}

// glob reports whether text matches a pattern in which … stands for any text.
func glob(pattern, text string) bool {
	parts := strings.Split(pattern, wild)
	if len(parts) == 1 {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return strings.HasSuffix(text, parts[last])
}
