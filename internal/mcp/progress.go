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

// beatEvery is the time between two notifications of a command that prints nothing: clients give up on requests that
// are silent for long, commonly for a minute.
const beatEvery = 10 * time.Second

// progress tells a client how its command gets on: how long it runs, in seconds, and its newest line. A client that
// does not read misses states, never the newest.
type progress struct {
	out    *jsonl.Outbox
	token  json.RawMessage // nil: nobody wants to know
	speaks bool            // notifications have a message
	began  time.Time
	beat   *time.Timer

	// Guarded by the outbox.
	over  bool
	last  float64 // seconds that were told
	state sink.Snapshot
	news  bool
}

// newProgress makes the progress of a request that is served in that revision. A token is a string or a number.
func newProgress(out *jsonl.Outbox, token json.RawMessage, version string) *progress {
	p := &progress{out: out, token: jsonl.ID(token), speaks: version >= messageVersion, began: time.Now()}
	if p.token != nil {
		p.beat = time.AfterFunc(beatEvery, p.tick)
	}
	return p
}

// live gives the callbacks of a run.
func (p *progress) live() run.Live {
	if p.token == nil {
		return run.Live{}
	}
	return run.Live{Update: func(s sink.Snapshot) { p.tell(func() { p.state = s }) }}
}

func (p *progress) tick() {
	over := false
	p.tell(func() { over = p.over })
	if !over {
		p.beat.Reset(beatEvery)
	}
}

func (p *progress) tell(change func()) {
	p.out.Update(p, func() {
		change()
		p.news = true
	})
}

// stop comes before the reply: nothing is told after it.
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
