package keys_test

import (
	"slices"
	"strings"
	"testing"

	"pi/internal/keys"
)

// parseTests are the keys that the recorded vectors leave open, and those that went wrong elsewhere.
var parseTests = []struct {
	name, in      string
	legacy, kitty string // ids; "" is no key
}{
	{"NUL", "\x00", "ctrl+space", "ctrl+space"},
	{"BS", "\x08", "backspace", "backspace"},
	{"LF", "\n", "enter", "enter"},
	{"US", "\x1f", "ctrl+_", "ctrl+_"},
	{"DEL", "\x7f", "backspace", "backspace"},
	{"upper case", "A", "A", "A"},
	{"beyond ASCII", "é", "é", "é"},
	{"two characters", "éé", "", ""},
	{"no-break space", "\u00a0", "", ""},
	{"private range", "\ue000", "", ""},
	{"C1 control", "\u009b", "", ""},
	{"half a character", "\xc3", "", ""},

	{"alt and a letter", "\x1bc", "alt+c", "alt+c"},
	{"alt, shift and a letter", "\x1bC", "shift+alt+c", "shift+alt+c"},
	{"alt and a digit", "\x1b5", "alt+5", "alt+5"},
	{"alt and a symbol", "\x1b,", "alt+,", "alt+,"},
	{"alt and [", "\x1b[", "alt+[", "alt+["},
	{"alt and space", "\x1b ", "alt+space", "alt+space"},
	{"alt and a character", "\x1bé", "alt+é", "alt+é"},
	{"alt+left of Terminal.app", "\x1bb", "alt+left", "alt+left"},
	{"ESC B", "\x1bB", "alt+left", "shift+alt+b"},
	{"ESC p", "\x1bp", "alt+up", "alt+up"},
	{"alt and a control byte", "\x1b\x01", "ctrl+alt+a", ""},
	{"alt and ctrl+]", "\x1b\x1d", "ctrl+alt+]", ""},
	{"alt and ctrl+space", "\x1b\x00", "ctrl+alt+space", ""},
	{"escape twice", "\x1b\x1b", "", ""},
	{"meta cursor key", "\x1b\x1b[A", "alt+up", "alt+up"},
	{"meta back tab", "\x1b\x1b[Z", "shift+alt+tab", "shift+alt+tab"},
	{"meta application key", "\x1b\x1bOA", "alt+up", "alt+up"},
	{"meta kitty key", "\x1b\x1b[97;5u", "ctrl+alt+a", "ctrl+alt+a"},
	{"meta, nothing behind", "\x1b\x1b[", "", ""},

	{"back tab", "\x1b[Z", "shift+tab", "shift+tab"},
	{"back tab with ctrl", "\x1b[1;5Z", "shift+ctrl+tab", "shift+ctrl+tab"},
	{"back tab with super", "\x1b[1;9Z", "", ""},
	{"f1 by CSI", "\x1b[P", "f1", "f1"},
	{"f3 by CSI", "\x1b[R", "f3", "f3"},
	{"f3 or a report", "\x1b[1;5R", "ctrl+f3", "ctrl+f3"},
	{"a report", "\x1b[24;80R", "", ""},
	{"f5 of the console", "\x1b[[E", "f5", "f5"},
	{"f13", "\x1b[25~", "f13", "f13"},
	{"f16", "\x1b[29~", "f16", "f16"},
	{"f20", "\x1b[34~", "f20", "f20"},
	{"modified f13", "\x1b[25;5~", "ctrl+f13", "ctrl+f13"},
	{"released f13", "\x1b[25;5:3~", "", ""},
	{"number without a key", "\x1b[22~", "", ""},
	{"rxvt ctrl+f1", "\x1b[11^", "ctrl+f1", "ctrl+f1"},
	{"rxvt shift+f11", "\x1b[23$", "shift+f11", "shift+f11"},
	{"rxvt shift+ctrl+delete", "\x1b[3@", "shift+ctrl+delete", "shift+ctrl+delete"},
	{"keypad middle", "\x1b[57427~", "clear", "clear"},
	{"application keypad 5", "\x1bOu", "5", "5"},
	{"application keypad +", "\x1bOk", "+", "+"},
	{"application keypad =", "\x1bOX", "=", "="},
	{"wrong parameters", "\x1b[5D", "", ""},

	{"caps lock on", "\x1b[99;69u", "ctrl+c", "ctrl+c"},
	{"num lock on", "\x1b[99;133u", "ctrl+c", "ctrl+c"},
	{"num lock and escape", "\x1b[27;129u", "escape", "escape"},
	{"num lock and down", "\x1b[1;129B", "down", "down"},
	{"both locks and up", "\x1b[1;193A", "up", "up"},
	{"num lock and delete", "\x1b[3;129~", "delete", "delete"},
	{"caps lock and ctrl+f1", "\x1b[1;69P", "ctrl+f1", "ctrl+f1"},
	{"caps lock itself", "\x1b[57358u", "capsLock", "capsLock"},
	{"keypad digit", "\x1b[57400u", "end", "end"},
	{"keypad digit with num lock", "\x1b[57400;129u", "1", "1"},
	{"keypad separator", "\x1b[57416u", ",", ","},
	{"keypad left", "\x1b[57417u", "left", "left"},
	{"keypad middle by CSI u", "\x1b[57427;5u", "ctrl+clear", "ctrl+clear"},
	{"f35", "\x1b[57398u", "f35", "f35"},
	{"menu", "\x1b[57363;2u", "shift+menu", "shift+menu"},
	{"media", "\x1b[57430u", "mediaPlayPause", "mediaPlayPause"},
	{"volume", "\x1b[57440u", "muteVolume", "muteVolume"},
	{"shift itself", "\x1b[57441;2u", "shift+leftShift", "shift+leftShift"},
	{"last of the range", "\x1b[57454u", "isoLevel5Shift", "isoLevel5Shift"},
	{"unknown of the range", "\x1b[57344u", "", ""},
	{"released", "\x1b[97;1:3u", "", ""},
	{"repeated", "\x1b[97;1:2u", "a", "a"},
	{"super", "\x1b[97;9u", "", ""},

	{"remapped Latin layout", "\x1b[107::118;5u", "ctrl+k", "ctrl+k"},
	{"Cyrillic layout", "\x1b[1089::99;5u", "ctrl+c", "ctrl+c"},
	{"Cyrillic without a base", "\x1b[1089;5u", "ctrl+с", "ctrl+с"},
	{"digit with a base", "\x1b[49::97;5u", "ctrl+1", "ctrl+1"},
	{"tab with a base", "\x1b[9::97;5u", "ctrl+tab", "ctrl+tab"},
	{"shifted", "\x1b[99:67:99;6u", "shift+ctrl+c", "shift+ctrl+c"},
	{"é with ctrl", "\x1b[233;5u", "ctrl+é", "ctrl+é"},
	{"text without a key", "\x1b[0;;229u", "", ""},
	{"modifyOtherKeys shift+space", "\x1b[27;2;32~", "shift+space", "shift+space"},
	{"modifyOtherKeys ctrl+1", "\x1b[27;5;49~", "ctrl+1", "ctrl+1"},
	{"modifyOtherKeys ctrl+é", "\x1b[27;5;233~", "ctrl+é", "ctrl+é"},
	{"modifyOtherKeys with a lock", "\x1b[27;69;97~", "ctrl+a", "ctrl+a"},
	{"modifyOtherKeys with super", "\x1b[27;9;97~", "", ""},
}

func TestParse(t *testing.T) {
	for _, tt := range parseTests {
		for _, kitty := range []bool{false, true} {
			want := tt.legacy
			if kitty {
				want = tt.kitty
			}
			if id, ok := keys.Parse([]byte(tt.in), kitty); id != want || ok != (want != "") {
				t.Errorf("%s: Parse(%q, %v) = %q, %v; want %q", tt.name, tt.in, kitty, id, ok, want)
			}
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		in, id string
		want   bool
	}{
		{"\x08", "ctrl+h", true},
		{"\t", "ctrl+i", true},
		{"\r", "ctrl+m", true},
		{"\r", "ctrl+j", false},
		{"\n", "ctrl+j", true},
		{"\n", "ctrl+m", false},
		{"\x1b", "ctrl+[", true},
		{"\x00", "ctrl+@", true},
		{"\x1f", "ctrl+-", true},
		{"\x1f", "ctrl+/", false},
		{"A", "A", true},
		{"A", "shift+a", true},
		{"A", "a", false},
		{"a", "A", false},
		{"a", "shift+a", false},
		{"\x1b[65u", "shift+a", false},
		{"\x1bC", "alt+C", true},
		{"\x1bC", "shift+alt+C", false},
		{"\x1b[97;6u", "ctrl+shift+a", true},
		{"\x1b[97;6u", " CTRL + Shift + a ", true},
		{"\x1b[97;6u", "ctrl+shift+A", false},
		{"\x1b[97;6u", "ctrl+ctrl+shift+a", true},
		{"\x1b[97;5u", "a+ctrl", false},
		{"\x1b[97;5u", "ctrl++a", false},
		{"\x1b[97;5u", "ctrl+a+", false},
		{"\x1b[97;5u", "+ctrl+a", false},
		{"c", "cmd+c", false},
		{"c", "a+c", false},
		{"+", "+", true},
		{"+", "plus", true},
		{"+", "++", false},
		{"\x1b[43;5u", "ctrl++", true},
		{"\x1b[43;5u", "ctrl+plus", true},
		{"\x1b[43;5u", "ctrl+++", false},
		{"\x1b", "Esc", true},
		{"\r", "RETURN", true},
		{"\x1b[5~", "pageup", true},
		{"\x1b[25~", "F13", true},
		{"\x1bOP", "f01", false},
		{"é", "é", true},
		{"é", "É", false},
		{"\x1b[233;5u", "CTRL+é", true},
		{"\x1b[57430u", "mediaplaypause", true},
		{"", "", false},
		{"a", "", false},
		{"a", "ctrl+", false},
		{"a", strings.Repeat("a", 100), false},
	} {
		if got := keys.Matches([]byte(tt.in), tt.id, false); got != tt.want {
			t.Errorf("Matches(%q, %q) = %v", tt.in, tt.id, got)
		}
	}
}

func TestMatchesLegacy(t *testing.T) {
	for _, tt := range []struct {
		in, id string
		want   bool
	}{
		{"\x1b[A", "up", true},
		{"\x1b[A", "UP", false},
		{"\x1bOA", "up", true},
		{"\x1b[a", "shift+up", true},
		{"\x1b[1;2A", "shift+up", false},
		{"\x1bb", "alt+left", true},
		{"\x1b[05~", "pageUp", false},
		{"\x1b[Z", "shift+tab", false},
		{"a", "a", false},
		{"", "", false},
	} {
		if got := keys.MatchesLegacy([]byte(tt.in), tt.id); got != tt.want {
			t.Errorf("MatchesLegacy(%q, %q) = %v", tt.in, tt.id, got)
		}
	}
}

// samples are the inputs of all vectors and tables.
func samples(t testing.TB) [][]byte {
	var all [][]byte
	for _, name := range []string{"keys_parse", "keys_match", "kitty_parse", "legacy_match"} {
		for _, v := range vectors(t, name) {
			all = append(all, v.data)
		}
	}
	for _, tt := range parseTests {
		all = append(all, []byte(tt.in))
	}
	for b := range 256 {
		all = append(all, []byte{byte(b)}, []byte{0x1b, byte(b)}, []byte{0x1b, '[', byte(b)}, []byte{0x1b, 'O', byte(b)})
	}
	return all
}

// aliases are the ids with the modifiers of another id for the same byte.
var aliases = map[string]string{"ctrl+space": "ctrl+@", "ctrl+_": "ctrl+-"}

// TestMatchesParse is the promise of one decoder: what Parse says matches, and no other id of the same modifiers.
func TestMatchesParse(t *testing.T) {
	byMods := map[string][]string{}
	for _, id := range keys.AllIDs() {
		byMods[modsOf(id)] = append(byMods[modsOf(id)], id)
	}
	seen := map[string]bool{}
	for _, data := range samples(t) {
		if seen[string(data)] {
			continue
		}
		seen[string(data)] = true
		for _, kitty := range []bool{false, true} {
			id, ok := keys.Parse(data, kitty)
			if !ok {
				continue
			}
			if !keys.Matches(data, id, kitty) {
				t.Errorf("%q is %q, but does not match it", data, id)
			}
			for _, other := range byMods[modsOf(id)] {
				if other != id && len(data) < 3 && other == aliases[id] {
					continue
				}
				if other != id && keys.Matches(data, other, kitty) {
					t.Errorf("%q is %q, but matches %q", data, id, other)
				}
			}
		}
	}
}

func modsOf(id string) string { return id[:strings.LastIndexByte(strings.TrimSuffix(id, "+"), '+')+1] }

func TestNoAllocations(t *testing.T) {
	match, kitty := vectors(t, "keys_match"), vectors(t, "kitty_match")
	parse := samples(t)
	for _, data := range parse {
		keys.Parse(data, false) // characters beyond ASCII are interned the first time
	}
	if n := testing.AllocsPerRun(1, func() {
		for _, data := range parse {
			keys.Parse(data, false)
			keys.ParseKitty(data)
		}
		for _, v := range match {
			keys.Matches(v.data, v.ID, v.Kitty)
			keys.MatchesLegacy(v.data, v.ID)
		}
		for _, v := range kitty {
			keys.MatchesKitty(v.data, v.Codepoint, v.Modifier)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestIDsAreNormal(t *testing.T) {
	ids := keys.AllIDs()
	if !slices.Contains(ids, "shift+ctrl+alt+pageUp") || !slices.Contains(ids, "alt++") {
		t.Error("the table lacks ids")
	}
	slices.Sort(ids)
	if n := len(slices.Compact(slices.Clone(ids))); n != len(ids) {
		t.Errorf("%d ids for %d keys", n, len(ids))
	}
}
