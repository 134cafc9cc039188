package rpc

import "encoding/json"

// The types of events. The ones of terminals and droppedBytes come without being asked for.
const (
	eventStart   = "start"
	eventUpdate  = "update"
	eventText    = "text"
	eventPartial = "partial"
	eventOutput  = "output"
	eventDropped = "droppedBytes"
)

// eventTypes returns a zero value of each event by its type, for the schema.
func eventTypes() map[string]any {
	return map[string]any{
		typeHello: greeting{}, eventStart: startEvent{}, eventUpdate: updateEvent{}, eventText: textEvent{},
		eventPartial: textEvent{}, eventOutput: outputEvent{}, eventDropped: droppedEvent{},
	}
}

type startEvent struct {
	Type           string          `json:"type"`
	ID             json.RawMessage `json:"id"`
	Command        string          `json:"command"`
	Cwd            string          `json:"cwd"`
	TimeoutSeconds float64         `json:"timeoutSeconds"`
}

type updateEvent struct {
	Type       string          `json:"type"`
	ID         json.RawMessage `json:"id"`
	Text       string          `json:"text"` // the bounded tail so far
	TotalLines int64           `json:"totalLines"`
	TotalBytes int64           `json:"totalBytes"`
}

type textEvent struct {
	Type string          `json:"type"`
	ID   json.RawMessage `json:"id"`
	Text string          `json:"text"`
}

type outputEvent struct {
	Type string          `json:"type"`
	ID   json.RawMessage `json:"id"`
	Data string          `json:"data"`
}

type droppedEvent struct {
	Type  string          `json:"type"`
	ID    json.RawMessage `json:"id"`
	Bytes int64           `json:"bytes"` // of text or output
}
