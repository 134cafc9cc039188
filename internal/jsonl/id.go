package jsonl

import (
	"bytes"
	"encoding/json"
)

// MaxID bounds the id of a request, in bytes as it was written.
const MaxID = 1 << 10

// ID returns a request's id in a form that can be compared and sent back: a number as it was written, or a string as the
// encoder writes it. It returns nil for everything else, and for what is longer than [MaxID].
func ID(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || len(raw) > MaxID {
		return nil
	}
	switch c := raw[0]; {
	case c == '-' || c >= '0' && c <= '9':
		return raw
	case c == '"':
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return nil
		}
		line, err := Encode(text)
		if err != nil {
			return nil
		}
		return bytes.TrimSuffix(line, []byte{'\n'})
	}
	return nil
}
