package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"pi/internal/jsonl"
	"pi/internal/run"
	"pi/internal/sink"
)

// heartbeat is the time between two notifications about a command that prints nothing. Clients give up on requests that
// stay silent, commonly after a minute.
const heartbeat = 10 * time.Second

// progress reports to a client how long its command has been running, in seconds, and its newest line. A client that does
// not read misses states, but never the newest.
type progress struct {
	out    *jsonl.Outbox
	token  json.RawMessage // nil: no progress is wanted
	speaks bool            // notifications have a message
	began  time.Time
	beat   *time.Timer

	// Guarded by the outbox.
	over  bool
	last  float64 // seconds that were reported
	state sink.Snapshot
	news  bool // there is something to report
}

// newProgress returns the progress of a request that is served in that revision. A token is a string or a number.
func newProgress(out *jsonl.Outbox, token json.RawMessage, version string) *progress {
	p := &progress{out: out, token: jsonl.ID(token), speaks: version >= messageVersion, began: time.Now()}
	if p.token != nil {
		p.beat = time.AfterFunc(heartbeat, p.tick)
	}
	return p
}

// callbacks returns what the run has to call.
func (p *progress) callbacks() run.Live {
	if p.token == nil {
		return run.Live{}
	}
	return run.Live{Update: func(s sink.Snapshot) { p.report(func() { p.state = s }) }}
}

func (p *progress) tick() {
	over := false
	p.report(func() { over = p.over })
	if !over {
		p.beat.Reset(heartbeat)
	}
}

func (p *progress) report(change func()) {
	p.out.Update(p, func() {
		change()
		p.news = true
	})
}

// stop is called before the reply: no notification follows it.
func (p *progress) stop() {
	p.out.Do(func() { p.over = true })
	if p.beat != nil {
		p.beat.Stop()
	}
}

// Take implements [jsonl.Source].
func (p *progress) Take() []any {
	if p.over || !p.news {
		return nil
	}
	p.news = false
	// It must grow from one notification to the next.
	p.last = max(time.Since(p.began).Truncate(time.Millisecond).Seconds(), p.last+0.001)
	params := object{"progressToken": p.token, "progress": p.last}
	if p.speaks {
		params["message"] = p.message()
	}
	return []any{notification{"2.0", "notifications/progress", params}}
}

// maxLine bounds the line that a message shows, in runes.
const maxLine = 200

func (p *progress) message() string {
	text := strings.TrimRight(p.state.Text, "\n")
	if p.state.TotalBytes == 0 {
		return "no output yet"
	}
	unit := "lines"
	if p.state.TotalLines == 1 {
		unit = "line"
	}
	return fmt.Sprintf("%d %s: %s", p.state.TotalLines, unit, run.Clip(text[strings.LastIndexByte(text, '\n')+1:], maxLine))
}
