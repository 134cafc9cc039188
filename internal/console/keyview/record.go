// Package keyview shows keys to people and programs: as records for JSON, as lines of a live view on a terminal, and
// the spellings of bytes that a command line takes, hex and C escapes. It draws nothing but lines.
package keyview

import (
	"encoding/hex"
	"fmt"
	"strings"

	"pi/internal/keys"
)

// Record describes the bytes of one key. Absent fields are null in JSON.
type Record struct {
	Hex   string  `json:"hex"`
	Key   *string `json:"key"`
	Match *bool   `json:"match"` // null if there was no id to match
	Kitty *Kitty  `json:"kittySequence"`
}

// Kitty is [keys.Kitty] for JSON.
type Kitty struct {
	Codepoint     int32           `json:"codepoint"`
	ShiftedKey    *int32          `json:"shiftedKey"`
	BaseLayoutKey *int32          `json:"baseLayoutKey"`
	Modifier      uint32          `json:"modifier"`
	EventType     *keys.EventType `json:"eventType"` // 1 press, 2 repeat, 3 release
}

// NewRecord returns the record of data. A nil id means that there is none to match.
func NewRecord(data []byte, kitty bool, id *string) Record {
	r := Record{Hex: hex.EncodeToString(data)}
	if key, ok := keys.Parse(data, kitty); ok {
		r.Key = &key
	}
	if id != nil {
		match := keys.Matches(data, *id, kitty)
		r.Match = &match
	}
	if k, ok := keys.ParseKitty(data); ok {
		r.Kitty = newKitty(k)
	}
	return r
}

func newKitty(k keys.Kitty) *Kitty {
	out := &Kitty{Codepoint: k.Codepoint, Modifier: k.Modifier}
	if k.ShiftedKey != keys.Absent {
		out.ShiftedKey = &k.ShiftedKey
	}
	if k.BaseLayoutKey != keys.Absent {
		out.BaseLayoutKey = &k.BaseLayoutKey
	}
	if k.Event != keys.NoEvent {
		out.EventType = &k.Event
	}
	return out
}

// String returns the fields in words and omits absent ones.
func (k *Kitty) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "code %s", codepoint(k.Codepoint))
	if k.ShiftedKey != nil {
		fmt.Fprintf(&b, ", shifted %s", codepoint(*k.ShiftedKey))
	}
	if k.BaseLayoutKey != nil {
		fmt.Fprintf(&b, ", base %s", codepoint(*k.BaseLayoutKey))
	}
	fmt.Fprintf(&b, ", mod %d", k.Modifier)
	if k.EventType != nil {
		b.WriteString(", " + [...]string{"", "press", "repeat", "release"}[*k.EventType])
	}
	return b.String()
}

func codepoint(n int32) string {
	if n > ' ' && n < 0x7f {
		return fmt.Sprintf("%d %c", n, n)
	}
	return fmt.Sprint(n)
}
