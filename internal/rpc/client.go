package rpc

import (
	"encoding/json"
	"io"
	"sync"

	"pi/internal/jsonl"
	"pi/internal/run"
	"pi/internal/sink"
)

// Request is a request as pi's own client writes it.
type Request struct {
	ID      string `json:"id,omitempty"`
	Type    string `json:"type"`
	Tool    string `json:"tool,omitempty"`
	Args    *Args  `json:"args,omitempty"`
	Target  string `json:"target,omitempty"`  // of abort_bash; empty: every command of this client
	Force   bool   `json:"force,omitempty"`   // of abort_bash: skip the grace period
	Session string `json:"session,omitempty"` // of session_close and abort_bash
	Build   string `json:"build,omitempty"`   // the client's build; a server of another build refuses a tool_call
}

// Message is a line of the server: the hello, an event or a reply, as its type says.
type Message struct {
	ID   json.RawMessage `json:"id"`
	Type string          `json:"type"`

	// Of hello.
	Protocol int    `json:"protocol"`
	Build    string `json:"build"`
	PID      int    `json:"pid"`

	// Of events.
	Command        string  `json:"command"` // of a reply: the request's type
	Cwd            string  `json:"cwd"`
	TimeoutSeconds float64 `json:"timeoutSeconds"`
	Text           string  `json:"text"`
	TotalLines     int64   `json:"totalLines"`
	TotalBytes     int64   `json:"totalBytes"`
	Bytes          int64   `json:"bytes"`

	// Of replies.
	Success bool            `json:"success"`
	Data    json.RawMessage `json:"data"`
	Shape   *Shape          `json:"shape"`
	Error   string          `json:"error"`
	Code    string          `json:"code"`
}

// IsHello reports whether the message is a server's greeting.
func (m Message) IsHello() bool { return m.Type == typeHello }

// IsReply reports whether the message answers a request.
func (m Message) IsReply() bool { return m.Type == typeReply }

// Client is the other end of a server's stream.
type Client struct {
	lines *jsonl.Reader
	mu    sync.Mutex
	w     io.Writer
}

// NewClient returns a client of the server at the other end of a stream.
func NewClient(stream io.ReadWriter) *Client {
	return &Client{lines: jsonl.NewReader(stream, 2*jsonl.MaxFrame), w: stream}
}

// Send sends a request. It may be called while another goroutine receives.
func (c *Client) Send(q Request) error {
	line, err := jsonl.Encode(q)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.w.Write(line)
	return err
}

// Receive returns the next message.
func (c *Client) Receive() (Message, error) {
	line, err := c.lines.Next()
	if err != nil {
		return Message{}, err
	}
	var m Message
	err = json.Unmarshal(line, &m)
	return m, err
}

// EventsFor returns the events that a client has to ask for to serve the callbacks of a run.
func EventsFor(l run.Live) []string {
	list := []string{}
	for _, e := range []struct {
		name   string
		wanted bool
	}{{eventStart, l.Start != nil}, {eventUpdate, l.Update != nil}, {eventText, l.Text != nil}, {eventPartial, l.Partial != nil}} {
		if e.wanted {
			list = append(list, e.name)
		}
	}
	return list
}

// Deliver calls the callback that an event is for. It returns the bytes of text that the server had to drop.
func (m Message) Deliver(l run.Live) (dropped int64) {
	switch {
	case m.Type == eventStart && l.Start != nil:
		l.Start(run.Details{Command: m.Command, Cwd: m.Cwd, TimeoutSeconds: m.TimeoutSeconds})
	case m.Type == eventUpdate && l.Update != nil:
		l.Update(sink.Snapshot{Text: m.Text, TotalLines: m.TotalLines, TotalBytes: m.TotalBytes})
	case m.Type == eventText && l.Text != nil:
		l.Text([]byte(m.Text))
	case m.Type == eventPartial && l.Partial != nil:
		l.Partial([]byte(m.Text))
	case m.Type == eventDropped:
		return m.Bytes
	}
	return 0
}

// Result decodes the result of a tool_call from its reply, with the parts of its text if the call asked for a shape.
func (m Message) Result() (run.Result, error) {
	var r run.Result
	if err := json.Unmarshal(m.Data, &r); err != nil {
		return r, err
	}
	if m.Shape != nil && len(r.Content) > 0 {
		r.Body = r.Content[0].Text[:min(max(m.Shape.BodyBytes, 0), len(r.Content[0].Text))]
		r.Notices = m.Shape.Notices
	}
	return r, nil
}
