package keys_test

import (
	"testing"

	"pi/internal/keys"
)

// FuzzParse holds any bytes to what the decoder promises: no panic, an id that matches, and consistent siblings.
func FuzzParse(f *testing.F) {
	for _, tt := range parseTests {
		f.Add([]byte(tt.in), false)
		f.Add([]byte(tt.in), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, kitty bool) {
		id, ok := keys.Parse(data, kitty)
		if ok != (id != "") {
			t.Fatalf("%q: %q, %v", data, id, ok)
		}
		if ok && !keys.Matches(data, id, kitty) {
			t.Errorf("%q is %q, but does not match it", data, id)
		}
		if ok && keys.Matches(data, "cmd+"+id, kitty) {
			t.Errorf("%q matches cmd+%s", data, id)
		}
		keys.Matches(data, string(data), kitty)
		if keys.MatchesLegacy(data, id) && !ok {
			t.Errorf("%q is a legacy key without a name", data)
		}
		if k, isKitty := keys.ParseKitty(data); isKitty && k.Event == keys.Release && ok {
			t.Errorf("%q is a release, and yet %q", data, id)
		}
	})
}

// FuzzParseKitty holds any bytes to what the fields promise.
func FuzzParseKitty(f *testing.F) {
	for _, tt := range parseTests {
		f.Add([]byte(tt.in))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		k, ok := keys.ParseKitty(data)
		if !ok {
			if keys.MatchesKitty(data, k.Codepoint, k.Modifier) {
				t.Errorf("%q matches without being one", data)
			}
			return
		}
		if k.ShiftedKey < keys.Absent || k.BaseLayoutKey < keys.Absent || k.Codepoint < -31 || k.Event > keys.Release {
			t.Errorf("%q: %+v", data, k)
		}
		if !keys.MatchesKitty(data, k.Codepoint, k.Modifier) || !keys.MatchesKitty(data, k.Codepoint, k.Modifier^192) {
			t.Errorf("%q does not match its own fields %+v", data, k)
		}
		if keys.MatchesKitty(data, k.Codepoint, k.Modifier^1) {
			t.Errorf("%q matches with shift turned", data)
		}
	})
}

// FuzzReader cuts any stream anywhere: the events are the same and hold every byte.
func FuzzReader(f *testing.F) {
	for _, tt := range readerTests {
		f.Add([]byte(tt.in), uint8(1), uint8(3), uint8(20), false)
		f.Add([]byte(tt.in), uint8(2), uint8(2), uint8(5), true)
	}
	f.Fuzz(func(t *testing.T, in []byte, first, step, limit uint8, kitty bool) {
		if len(in) > 4096 {
			return
		}
		var cuts []int
		for at := int(first); at < len(in); at += int(step) + 1 {
			cuts = append(cuts, at)
		}
		checkSplit(t, in, cuts, kitty, int(limit)+1)
	})
}
