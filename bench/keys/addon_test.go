package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pi/internal/keys"
)

// answer is what addon.cjs says of one question.
type answer struct {
	Legacy, Kitty string
	Fields        *struct {
		Codepoint                 int32
		ShiftedKey, BaseLayoutKey *int32
		Modifier                  uint32
		EventType                 *int64
	}
	Matches, Classic []bool
}

type question struct {
	Hex string   `json:"hex"`
	IDs []string `json:"ids"`
}

// TestAddonAgrees asks the addon about sequences made at random. All differences must be of the classes that
// docs/internals/keys.md lists.
func TestAddonAgrees(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	questions := make([]question, 60000)
	for i := range questions {
		questions[i] = question{hex.EncodeToString([]byte(sequence(rnd))), ids(rnd)}
	}
	classes := map[string]int{}
	for i, a := range ask(t, questions) {
		data, _ := hex.DecodeString(questions[i].Hex)
		for _, kitty := range []bool{false, true} {
			theirs := a.Legacy
			if kitty {
				theirs = a.Kitty
			}
			ours, _ := keys.Parse(data, kitty)
			if ours == theirs {
				continue
			}
			class := parseClass(string(data), ours, theirs)
			if classes[class]++; class == "" {
				t.Errorf("Parse(%q, %v) is %q, for the addon %q", data, kitty, ours, theirs)
			}
		}
		compareFields(t, data, a)
		for j, id := range questions[i].IDs {
			if got := keys.Matches(data, id, false); got != a.Matches[j] {
				class := matchClass(string(data), a)
				if classes[class]++; class == "" {
					t.Errorf("Matches(%q, %q) = %v", data, id, got)
				}
			}
			if got := keys.MatchesLegacy(data, id); got != a.Classic[j] && !strings.HasPrefix(id, "f") {
				t.Errorf("MatchesLegacy(%q, %q) = %v", data, id, got)
			}
		}
	}
	for class, n := range classes {
		t.Logf("%6d  %s", n, class)
	}
}

func compareFields(t *testing.T, data []byte, a answer) {
	k, ok := keys.ParseKitty(data)
	if ok != (a.Fields != nil) {
		t.Errorf("ParseKitty(%q): %v", data, ok)
		return
	}
	if !ok {
		return
	}
	want := keys.Kitty{Codepoint: a.Fields.Codepoint, ShiftedKey: keys.Absent, BaseLayoutKey: keys.Absent, Modifier: a.Fields.Modifier}
	if a.Fields.ShiftedKey != nil {
		want.ShiftedKey = *a.Fields.ShiftedKey
	}
	if a.Fields.BaseLayoutKey != nil {
		want.BaseLayoutKey = *a.Fields.BaseLayoutKey
	}
	if e := a.Fields.EventType; e != nil && *e >= 1 && *e <= 3 {
		want.Event = keys.EventType(*e)
	}
	if k != want {
		t.Errorf("ParseKitty(%q) = %+v, for the addon %+v", data, k, want)
	}
}

var (
	otherKeys  = regexp.MustCompile(`^\x1b\[27;(\d+);\d+~?$`)
	asciiBase  = regexp.MustCompile(`^\x1b\[0*(4[89]|5[0-7]|9|13|27|32|127):`)
	furtherKey = regexp.MustCompile(`(Lock|menu|pause|printScreen|media\w+|\w+Volume|\w+Shift|(left|right)(Ctrl|Alt|Super|Hyper|Meta)|f1[3-9]|f[23]\d)$`)
	further    = regexp.MustCompile(`^\x1b(\x1b.*|O[IXj-y]|\[[PQRS]|\[574(1[6-9]|2[0-7])[^0-9].*|\[1;.*Z|\[\d+[$^@])$`)
)

// parseClass returns the number of the class in docs/internals/keys.md that a difference belongs to, or "".
func parseClass(data, ours, theirs string) string {
	if m := otherKeys.FindStringSubmatch(data); m != nil {
		if n, _ := strconv.Atoi(m[1]); n > 0 && (n-1)&^(7|64|128) != 0 && ours == "" {
			return "3 modifyOtherKeys with other modifiers"
		}
	}
	switch {
	case asciiBase.MatchString(data):
		return "4 base layout of an ASCII key"
	case theirs != "":
		return ""
	case len(data) == 2 && data[0] == 0x1b, further.MatchString(data), furtherKey.MatchString(ours), beyondASCII(ours):
		return "5 further names"
	}
	return ""
}

func beyondASCII(id string) bool {
	r, _ := utf8.DecodeLastRuneInString(id)
	return r >= utf8.RuneSelf
}

// matchClass is parseClass for Matches. Where both name the key alike and yet differ in what matches, the addon's matcher
// contradicts its parser, since ours is made of it: but for single bytes, which have aliases.
func matchClass(data string, a answer) string {
	ours, _ := keys.Parse([]byte(data), false)
	switch {
	case ours != a.Legacy:
		return parseClass(data, ours, a.Legacy)
	case len(data) > 1:
		return "1 one decoder"
	}
	return ""
}

// ids returns ids to match, the modifiers in any order.
func ids(rnd *rand.Rand) []string {
	names := []string{"a", "z", "A", "1", "/", "+", "up", "left", "pageUp", "home", "end", "delete", "enter", "tab", "escape",
		"space", "backspace", "f1", "f5", "f9", "f12", "clear", "insert"}
	mods := []string{"", "", "shift+", "ctrl+", "alt+", "ctrl+alt+", "ctrl+shift+", "alt+shift+ctrl+"}
	out := make([]string, 3)
	for i := range out {
		out[i] = mods[rnd.Intn(len(mods))] + names[rnd.Intn(len(names))]
	}
	return out
}

// sequence returns one, more or less well formed.
func sequence(rnd *rand.Rand) string {
	number := func() string {
		list := strings.Split(",0,1,2,3,5,6,9,10,11,13,15,19,24,25,27,29,31,32,33,34,43,48,57,65,90,96,97,122,126,127,128,160,"+
			"233,1089,8364,57344,57358,57363,57376,57398,57399,57404,57408,57409,57410,57413,57414,57415,57416,57417,57427,"+
			"57428,57441,57454,63743,128512,1114111,1114112,55296,2147483647,2147483648,4294967295,4294967296,007,010", ",")
		return list[rnd.Intn(len(list))]
	}
	modifier := func() string {
		list := strings.Split(",0,1,2,3,4,5,6,7,8,9,16,33,65,69,129,130,133,193,196,256,257,512,05", ",")
		return list[rnd.Intn(len(list))]
	}
	switch rnd.Intn(12) {
	case 0, 1:
		return fmt.Sprintf("\x1b[%s;%su", number(), modifier())
	case 2:
		return fmt.Sprintf("\x1b[%s:%s;%su", number(), number(), modifier())
	case 3:
		return fmt.Sprintf("\x1b[%s:%s:%s;%su", number(), number(), number(), modifier())
	case 4:
		return fmt.Sprintf("\x1b[%s::%s;%s:%su", number(), number(), modifier(), modifier())
	case 5:
		return fmt.Sprintf("\x1b[%s;%s;%su", number(), modifier(), number())
	case 6:
		return fmt.Sprintf("\x1b[%s::%s;%s;%su", number(), number(), modifier(), number())
	case 7:
		return fmt.Sprintf("\x1b[27;%s;%s~", modifier(), number())
	case 8:
		return fmt.Sprintf("\x1b[%s;%s~", modifier(), modifier())
	case 9:
		return fmt.Sprintf("\x1b[%s;%s:%s~", modifier(), modifier(), modifier())
	case 10:
		return fmt.Sprintf("\x1b[%s;%s%c", []string{"1", "1", "01", "2", ""}[rnd.Intn(5)], modifier(), 'A'+rnd.Intn(26))
	}
	const alphabet = "\x1b\x1b[[O0123456789;:~^$@uABCDEFPQRSabcdeZMIXjkpy \x00\x01\x08\n"
	b := []byte{0x1b}
	for range rnd.Intn(6) + 1 {
		b = append(b, alphabet[rnd.Intn(len(alphabet))])
	}
	return string(b)
}

// ask puts all questions to the addon in one go.
func ask(t *testing.T, questions []question) []answer {
	t.Helper()
	library, err := addonLibrary()
	if err != nil {
		t.Skip(err)
	}
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, q := range questions {
		if err := enc.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	node := exec.Command("node", "addon.cjs", library, "answers")
	node.Stdin, node.Stderr = &in, os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []answer
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var a answer
		if err := dec.Decode(&a); err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	if len(all) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(all), len(questions))
	}
	return all
}
