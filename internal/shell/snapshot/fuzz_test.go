//go:build unix

package snapshot

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pi/internal/shell"
	"pi/internal/shelltext"
)

// FuzzSnapshotHeader: a damaged cache entry is an error, never a panic, and what is read back writes the same again.
func FuzzSnapshotHeader(f *testing.F) {
	h := header{Snapshot: Snapshot{Made: time.Unix(0, 5), Functions: 1, Aliases: 2, LeftOut: 3, Env: []string{"A=b\nc\xff'"}},
		files: []stamp{{"/home/a b/.bashrc", 7, 8}, {"/none", 0, -1}}, was: []string{"-"}}
	whole := string(h.append(nil))
	f.Add(whole)
	f.Add(strings.Replace(whole, "# env", "# env\n# env", 1))
	f.Add(string(header{Snapshot: Snapshot{Failure: "they\nended"}}.append(nil)) + "unset BASH_ENV\n")
	f.Add("# " + formatVersion + "\n# made 1 2\n# end\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := readHeader(bufio.NewReader(strings.NewReader(text)))
		if err != nil {
			return
		}
		if len(got.Env) != len(got.was) {
			t.Fatalf("%d variables, %d fingerprints", len(got.Env), len(got.was))
		}
		got.valid(nil, nil, time.Unix(0, 0))
		once := string(got.append(nil))
		again, err := readHeader(bufio.NewReader(strings.NewReader(once)))
		if err != nil || string(again.append(nil)) != once {
			t.Fatalf("%q read back: %v, %q", once, err, again.append(nil))
		}
	})
}

// FuzzSnapshotDump: whatever comes through the channel, the parser ends and invents nothing.
func FuzzSnapshotDump(f *testing.F) {
	f.Add("O\x00globstar\x00L\x00alias -- -='cd -'\nalias q='it'\\''s'\n\x00E\x00A\x00b\x00")
	f.Add("G\x00a\nb\x00a () \n{ \n    :\n}\nb () \n{ \n    :\n}\ndeclare -fx b\n\x00a 1 /home/x\nb 2 /home/y z\n\x00")
	f.Add("F\x00a\x00/f\x00body\x00P\x00/dir\x00A\x00x\x00y\x00")
	f.Add("L\x00alias \x00")
	f.Fuzz(func(t *testing.T, text string) {
		dumped, err := parseDump([]byte(text))
		if err != nil {
			return
		}
		r := dumped.filter([]string{"PATH=/bin"}, shell.DialectOf("bash").Snapshot)
		dumped.script(shell.DialectOf("bash").Snapshot, r.functions, r.aliases)
		dumped.script(shell.DialectOf("zsh").Snapshot, r.functions, r.aliases)
		for _, kv := range r.env {
			if !strings.Contains(text, kv[strings.IndexByte(kv, '=')+1:]) {
				t.Errorf("%q is not in the input", kv)
			}
		}
	})
}

// FuzzSnapshotNames: a line of names is read whole or not at all.
func FuzzSnapshotNames(f *testing.F) {
	f.Add("# names")
	f.Add(`# names "a" "b c\n\u00e9"`)
	f.Add(`# names "a""b"`)
	f.Add("# names `a` 'b' \"")
	f.Fuzz(func(t *testing.T, line string) {
		names, ok := namesIn(line)
		if !ok {
			return
		}
		again := namesLead
		for n := range names {
			again += " " + strconv.QuoteToASCII(n)
		}
		if got, ok := namesIn(again); !ok || !maps.Equal(got, names) {
			t.Fatalf("%q: %v, then %v", line, names, got)
		}
	})
}

// TestSnapshotKeepsEveryName: random aliases and functions, with random text in them, come back as the shell had them.
func TestSnapshotKeepsEveryName(t *testing.T) {
	for _, k := range []string{"bash", "zsh"} {
		n := 50
		if os.Getenv("PI_LONG") != "" {
			n = 500
		}
		names := rapid.StringMatching(`[a-zA-Z0-9@%+:.,é~^-]{1,8}`)
		if k == "zsh" {
			names = rapid.StringMatching(`[a-zA-Z0-9@%+:., é~^'"$(){}*-]{1,8}`)
		}
		texts := rapid.StringMatching("[a-z '\"$`\\\\\n\t!*?~#&;|<>(){}é€-]{0,40}")
		var rc, command, want strings.Builder
		seen := map[string]bool{}
		for i := range n {
			// The prefix keeps clear of core names, keywords, options and pid or job numbers.
			name, text := fmt.Sprintf("x%d%s", i, names.Example(i)), texts.Example(i)
			if strings.HasSuffix(name, "\\") || seen[name] {
				continue
			}
			seen[name] = true
			word := shelltext.QuoteAlways(name)
			fmt.Fprintf(&rc, "alias -- %s=%s\n", shelltext.QuoteAlways("a"+name), shelltext.QuoteAlways("printf '<%s>' "+shelltext.QuoteAlways(text)))
			if k == "zsh" {
				fmt.Fprintf(&rc, "%s() {\n", word)
			} else {
				fmt.Fprintf(&rc, "function %s {\n", name)
			}
			fmt.Fprintf(&rc, "cat <<'E O F'\n%s\nE O F\nprintf '[%%s]' %s\n}\n", text, shelltext.QuoteAlways(text))
			fmt.Fprintf(&command, "%s\n", word)
			fmt.Fprintf(&want, "%s\n[%s]", text, text)
		}
		h := newHome(t, k, rc.String())
		s := h.must()
		learnt, ok := Names(s.Script)
		for name := range seen {
			if !ok || !learnt[name] || !learnt["a"+name] {
				t.Errorf("%s: a session does not know of %q", k, name)
			}
		}
		if got := h.run(s, command.String()); got != want.String() {
			t.Errorf("%s: functions: %s", k, firstDifference(got, want.String()))
		}
		list, original := "alias -L", "-ic"
		if k == "bash" {
			list = "alias -p"
		}
		sp := shell.Spec{Shell: shellFor(t, "bash"), Env: h.spec.Env, Command: h.spec.Shell.Path + " " + original + " " + shelltext.QuoteAlways(list) + " 2>/dev/null"}
		if got, want := lines(h.run(s, list)), lines(output(t, sp)); !slices.Equal(got, want) {
			t.Errorf("%s: aliases: %s", k, firstDifference(strings.Join(got, "\n"), strings.Join(want, "\n")))
		}
	}
}

// lines are the lines without the aliases that zsh and distributions bring along.
func lines(text string) []string {
	list := strings.Split(text, "\n")
	list = slices.DeleteFunc(list, func(l string) bool {
		return strings.HasPrefix(l, "alias run-help=") || strings.HasPrefix(l, "alias which-command=")
	})
	slices.Sort(list)
	return list
}

func firstDifference(got, want string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	from := max(i-40, 0)
	return fmt.Sprintf("byte %d: got %.120q want %.120q", i, got[from:], want[from:])
}
