package keys_test

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"pi/internal/keys"
)

// vector is a line of any of the recorded files; each uses some of the fields.
type vector struct {
	Hex       string       `json:"data_hex"`
	Kitty     bool         `json:"kitty"`
	Key       *string      `json:"key"`
	ID        string       `json:"id"`
	Name      string       `json:"name"`
	Match     bool         `json:"match"`
	Codepoint int32        `json:"codepoint"`
	Modifier  uint32       `json:"modifier"`
	Result    *kittyFields `json:"result"`

	data []byte
}

type kittyFields struct {
	Codepoint     int32           `json:"codepoint"`
	ShiftedKey    *int32          `json:"shiftedKey"`
	BaseLayoutKey *int32          `json:"baseLayoutKey"`
	Modifier      uint32          `json:"modifier"`
	EventType     *keys.EventType `json:"eventType"`
}

// vectors reads testdata/name.jsonl.gz, answers recorded from another decoder, less the classes in docs/internals/keys.md.
func vectors(t testing.TB, name string) []vector {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	for lines := bufio.NewScanner(z); lines.Scan(); {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.data, err = hex.DecodeString(v.Hex); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if len(all) < 1000 {
		t.Fatalf("%s: only %d vectors", name, len(all))
	}
	return all
}

func TestParseVectors(t *testing.T) {
	for _, v := range vectors(t, "keys_parse") {
		want := ""
		if v.Key != nil {
			want = *v.Key
		}
		if id, ok := keys.Parse(v.data, v.Kitty); id != want || ok != (v.Key != nil) {
			t.Errorf("Parse(%q, %v) = %q, %v; want %q", v.data, v.Kitty, id, ok, want)
		}
	}
}

func TestMatchVectors(t *testing.T) {
	for _, v := range vectors(t, "keys_match") {
		if got := keys.Matches(v.data, v.ID, v.Kitty); got != v.Match {
			t.Errorf("Matches(%q, %q, %v) = %v", v.data, v.ID, v.Kitty, got)
		}
	}
}

func TestParseKittyVectors(t *testing.T) {
	for _, v := range vectors(t, "kitty_parse") {
		got, ok := keys.ParseKitty(v.data)
		if ok != (v.Result != nil) {
			t.Errorf("ParseKitty(%q) ok = %v, want %v", v.data, ok, !ok)
			continue
		}
		if ok && got != v.Result.kitty() {
			t.Errorf("ParseKitty(%q) = %+v, want %+v", v.data, got, v.Result.kitty())
		}
	}
}

func (f kittyFields) kitty() keys.Kitty {
	k := keys.Kitty{Codepoint: f.Codepoint, ShiftedKey: keys.Absent, BaseLayoutKey: keys.Absent, Modifier: f.Modifier}
	if f.ShiftedKey != nil {
		k.ShiftedKey = *f.ShiftedKey
	}
	if f.BaseLayoutKey != nil {
		k.BaseLayoutKey = *f.BaseLayoutKey
	}
	if f.EventType != nil {
		k.Event = *f.EventType
	}
	return k
}

func TestMatchKittyVectors(t *testing.T) {
	for _, v := range vectors(t, "kitty_match") {
		if got := keys.MatchesKitty(v.data, v.Codepoint, v.Modifier); got != v.Match {
			t.Errorf("MatchesKitty(%q, %d, %d) = %v", v.data, v.Codepoint, v.Modifier, got)
		}
	}
}

func TestMatchLegacyVectors(t *testing.T) {
	for _, v := range vectors(t, "legacy_match") {
		if got := keys.MatchesLegacy(v.data, v.Name); got != v.Match {
			t.Errorf("MatchesLegacy(%q, %q) = %v", v.data, v.Name, got)
		}
	}
}
