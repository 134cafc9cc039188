//go:build unix

package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pi/internal/shell"
	"pi/internal/shell/snapshot"
	"pi/internal/testmain"
)

// TestExportsOfEverything: under `set -a` a shell exports what it does not take from outside, and what is the driver's.
// The shell that follows has none of it.
func TestExportsOfEverything(t *testing.T) {
	eachShell(t, func(t *testing.T, sh string) {
		s := testSession(t, sh, t.TempDir())
		do(t, s, Options{Command: "set -a; IFS=/0123456789; A='b\n IFS'"})
		do(t, s, Options{Command: "exit 3"})
		ifs := map[string]string{"bash": "20090a", "zsh": "20090a00", "dash": "20090a"}[sh]
		wantOutput(t, s, Options{Command: `echo "$A" $((40+2)); env | grep -E '^_pi_|^IFS'; printf %s "$IFS" | od -An -tx1 | tr -d ' \n'`},
			"b\n IFS 42\n"+ifs)
	})
}

// TestSessionWithSnapshot: a text that names nothing of the snapshot is as plain as without one; what a function or an
// alias of it exports is brought back after a drop.
func TestSessionWithSnapshot(t *testing.T) {
	for _, k := range []string{"bash", "zsh"} {
		t.Run(k, func(t *testing.T) {
			home := t.TempDir()
			rc := "setx() { export X=1; }\nalias sety='export Y=2'\nquiet() { :; }\n"
			if err := os.WriteFile(filepath.Join(home, "."+k+"rc"), []byte(rc), 0o644); err != nil {
				t.Fatal(err)
			}
			sh := shell.Shell{Path: testmain.Tool(t, k), Dialect: shell.DialectOf(k)}
			snap, warning := snapshot.Take(t.Context(), snapshot.Spec{Shell: sh, Env: sessionEnv(home), Home: home, CacheDir: filepath.Join(home, "cache")})
			if warning != "" || snap.Script == "" {
				t.Fatalf("Take = %+v, warning %q", snap, warning)
			}
			s := New(Spec{Shell: sh, Dir: home, Env: sessionEnv(home), Snapshot: snap.Script})
			defer s.Close()
			do(t, s, Options{Command: "true"})
			do(t, s, Options{Command: "/bin/true"})
			if !s.proc.plain {
				t.Error("a text without any of the names is not plain")
			}
			do(t, s, Options{Command: "setx"})
			do(t, s, Options{Command: "sety"})
			do(t, s, Options{Command: "exit 3"})
			wantOutput(t, s, Options{Command: "echo $X $Y"}, "1 2\n")
		})
	}
}

func TestRestorable(t *testing.T) {
	for _, tt := range []struct{ name, exports, want string }{
		{"bash", "declare -x A=\"b\nexport IFS=1\"\ndeclare -x IFS=\"x\"\ndeclare -x _pi_s=\"0\"\ndeclare -x N\n", "declare -x A=\"b\nexport IFS=1\"\ndeclare -x N\n"},
		{"dash", "export A='it'\"'\"'s'\nexport IFS='/\n'\nexport Z\n", "export A='it'\"'\"'s'\nexport Z\n"},
		{"zsh", "export A=$'a\\nb'\nexport IFS=$' \\t\\n\\C-@'\nexport _pi_x=1\n", "export A=$'a\\nb'\n"},
		{"bytes that are no text", "export A='\xff\x01'\nexport IFS='\xfe'\n", "export A='\xff\x01'\n"},
		{"a quote that does not end", "export A='open\nexport IFS=1\n", "export A='open\nexport IFS=1\n"},
		{"a backslash in quotes", "export A='\\'\nexport IFS='a'\nexport B=\"\\\"\nexport IFS=c\"\nexport C=$'\\'\nexport IFS=d'\n",
			"export A='\\'\nexport B=\"\\\"\nexport IFS=c\"\nexport C=$'\\'\nexport IFS=d'\n"},
		{"nothing", "", ""},
	} {
		if got := restorable(tt.exports); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// FuzzRestorable: whatever a shell says that it exports, it is taken apart in order,
// and what is brought back has nothing more to be left out.
func FuzzRestorable(f *testing.F) {
	f.Add("declare -x A=\"b\nexport IFS=1\"\ndeclare -x IFS=\"x\"\n")
	f.Add("export A='it'\"'\"'s'\nexport IFS='/\n'\nexport Z\n")
	f.Add("export A=$'a\\nb'; export B=(1 2)\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsRune(text, 0) {
			return // reports end with one
		}
		rest := text
		for _, d := range declarations(text) {
			_, after, ok := strings.Cut(rest, d)
			if d == "" || !ok {
				t.Fatalf("%q is not in %q", d, rest)
			}
			rest = after
		}
		if got := restorable(text); restorable(got) != got {
			t.Fatalf("%q becomes %q", got, restorable(got))
		}
	})
}
