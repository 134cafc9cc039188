package rpc

import (
	"encoding/json"
	"io"
	"sync"

	"pi/internal/jsonl"
	"pi/internal/run"
)

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

// IsHello, IsReply and the like tell messages apart.
func (m Message) IsHello() bool { return m.Type == typeHello }

// IsReply tells whether the message answers a request.
func (m Message) IsReply() bool { return m.Type == typeReply }

// Client is the other end of a server's stream.
type Client struct {
	f  *jsonl.Reader
	mu sync.Mutex
	w  io.Writer
}

// NewClient makes a client of a stream that a server serves.
func NewClient(stream io.ReadWriter) *Client {
	return &Client{f: jsonl.NewReader(stream, 2*jsonl.MaxFrame), w: stream}
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

// Receive gives the next message.
func (c *Client) Receive() (Message, error) {
	line, err := c.f.Next()
	if err != nil {
		return Message{}, err
	}
	var m Message
	err = json.Unmarshal(line, &m)
	return m, err
}

// Result takes the result of a tool_call out of its reply, text parts included where the call asked for a shape.
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
