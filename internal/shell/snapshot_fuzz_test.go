//go:build unix

package shell

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
)

// FuzzSnapshotHeader: a damaged cache entry is an error, never a panic, and what is read back writes the same again.
func FuzzSnapshotHeader(f *testing.F) {
	h := header{Snapshot: Snapshot{Made: time.Unix(0, 5), Functions: 1, Aliases: 2, LeftOut: 3, Env: []string{"A=b\nc\xff'"}},
		files: []stamp{{"/home/a b/.bashrc", 7, 8}, {"/none", 0, -1}}, was: []string{"-"}}
	whole := string(h.append(nil))
	f.Add(whole)
	f.Add(strings.Replace(whole, "# env", "# env\n# env", 1))
	f.Add(string(header{Snapshot: Snapshot{Failure: "they\nended"}}.append(nil)) + "unset BASH_ENV\n")
	f.Add("# " + snapshotVersion + "\n# made 1 2\n# end\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := readHeader(bufio.NewReader(strings.NewReader(text)))
		if err != nil {
			return
		}
		if len(got.Env) != len(got.was) {
			t.Fatalf("%d variables, %d fingerprints", len(got.Env), len(got.was))
		}
		got.holds(nil, nil, time.Unix(0, 0))
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
		told, err := parseDump([]byte(text))
		if err != nil {
			return
		}
		r := told.filter([]string{"PATH=/bin"})
		told.script(Bash, r.functions, r.aliases)
		told.script(Zsh, r.functions, r.aliases)
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
	for _, k := range []Kind{Bash, Zsh} {
		n := 50
		if os.Getenv("PI_LONG") != "" {
			n = 500
		}
		names := rapid.StringMatching(`[a-zA-Z0-9@%+:.,é~^-]{1,8}`)
		if k == Zsh {
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
			word := quoteWord(name)
			fmt.Fprintf(&rc, "alias -- %s=%s\n", quoteWord("a"+name), quoteWord("printf '<%s>' "+quoteWord(text)))
			if k == Zsh {
				fmt.Fprintf(&rc, "%s() {\n", word)
			} else {
				fmt.Fprintf(&rc, "function %s {\n", name)
			}
			fmt.Fprintf(&rc, "cat <<'E O F'\n%s\nE O F\nprintf '[%%s]' %s\n}\n", text, quoteWord(text))
			fmt.Fprintf(&command, "%s\n", word)
			fmt.Fprintf(&want, "%s\n[%s]", text, text)
		}
		h := newHome(t, k, rc.String())
		s := h.must()
		learnt, ok := learnt(s.Script)
		for name := range seen {
			if !ok || !learnt[name] || !learnt["a"+name] {
				t.Errorf("%s: a session does not know of %q", k, name)
			}
		}
		if got := h.run(s, command.String()); got != want.String() {
			t.Errorf("%s: functions: %s", k, firstDifference(got, want.String()))
		}
		list, original := "alias -L", "-ic"
		if k == Bash {
			list = "alias -p"
		}
		r := &recorder{}
		sp := spec(t, h.spec.Shell.Path+" "+original+" "+quoteWord(list)+" 2>/dev/null", r)
		sp.Env = h.spec.Env
		execute(t, sp)
		if got, want := lines(h.run(s, list)), lines(r.text(Stdout)); !slices.Equal(got, want) {
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
