//go:build unix

package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSessionHostile: what a command did to its shell makes no later one run twice, in part, elsewhere or not at all.
func TestSessionHostile(t *testing.T) {
	type step struct {
		command, out string
		code         int
		after        bool // the shell may have said before what it did not understand
		env          []string
		dir          string // of the run; below the session's
	}
	for _, tt := range []struct {
		name, shells string
		steps        []step
	}{
		{"a text that begins with a dash", "bash zsh dash", []step{{command: "- x 2>/dev/null; echo rest\necho more", out: "rest\nmore\n"}}},
		{"an option for a text", "bash zsh dash", []step{{command: "--help 2>/dev/null", code: 127}}},
		{"the driver's number is gone", "bash zsh dash", []step{
			{command: "echo ran >> n; unset _pi_q; f() { return 5; }; f", code: 5},
			{command: "cat n", out: "ran\n"}}},
		{"the driver's number is gone, elsewhere", "bash zsh dash", []step{
			{command: "cd sub; unset _pi_q"}, {command: "echo ${PWD##*/}", out: "sub\n"}}},
		{"all of the driver's variables are gone", "bash zsh dash", []step{
			{command: "echo ran >> n; unset _pi_i _pi_r _pi_s _pi_q _pi_u _pi_p _pi_g _pi_x _pi_f _pi_k _pi_n _pi_v _pi_j; echo on", out: "on\n"},
			{command: "cat n", out: "ran\n"}}},
		{"by pattern", "zsh", []step{{command: "echo ran >> n; unset -m '_*'"}, {command: "cat n", out: "ran\n"}}},
		{"by prefix", "bash", []step{{command: `echo ran >> n; unset "${!_@}"; echo on`, out: "on\n"}, {command: "cat n", out: "ran\n"}}},
		{"quotes that end at the line", "zsh", []step{
			{command: "setopt cshjunkiequotes"}, {command: "echo one\necho two", out: "one\ntwo\n", after: true},
			{command: "setopt cshjunkiequotes"}, {command: "echo one\necho ${PWD##*/}", out: "one\nsub\n", dir: "sub", after: true}}},
		{"quotes doubled in quotes", "zsh", []step{
			{command: `setopt rcquotes; export A="it's '' so" B="''"`}, {command: "exit"}, {command: `echo "$A $B"`, out: "it's '' so ''\n"}}},
		{"assignments anywhere", "bash", []step{
			{command: "set -k"}, {command: `echo "$A"; env | grep ^A=; echo b A=x; echo $-`, out: "1\nA=1\nb\nhkBc\n", env: []string{"A=1"}},
			{command: `echo "[$A]"`, out: "[]\n"}}},
		{"a directory through a link", "bash zsh dash", []step{
			{command: "ln -s sub ln; cd ln"}, {command: "exit"}, {command: "echo ${PWD##*/}; cd ..; ls -d ln", out: "ln\nln\n"}}},
		{"a read-only variable of the call", "bash zsh dash", []step{
			{command: "readonly R=1"}, {command: "echo ${PWD##*/} $A", out: "sub 1\n", dir: "sub", env: []string{"A=1", "B=2"}}, {command: "echo \"[$A$B]\"", out: "[]\n"}}},
	} {
		for _, sh := range strings.Fields(tt.shells) {
			t.Run(tt.name+"/"+sh, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
					t.Fatal(err)
				}
				s := testSession(t, sh, dir)
				for _, st := range tt.steps {
					o := Options{Command: st.command, Env: st.env, Timeout: 20 * time.Second}
					if st.dir != "" {
						o.Dir = filepath.Join(dir, st.dir)
					}
					out, res := do(t, s, o)
					if out != st.out && !(st.after && strings.HasSuffix(out, "\n"+st.out)) || res.ExitCode != st.code || res.TimedOut {
						t.Errorf("%q\n got %q %+v\nwant %q, status %d", st.command, out, res, st.out, st.code)
					}
				}
			})
		}
	}
}

// TestSessionCannotSet: a variable of the call that the shell does not let itself be given makes an error, and nothing
// is run or stays.
func TestSessionCannotSet(t *testing.T) {
	for _, name := range []string{"status", "path", "R"} {
		s := testSession(t, "zsh", t.TempDir())
		do(t, s, Options{Command: "readonly R=1; touch there"})
		o := Options{Command: "touch ran", Env: []string{"SECRET=1", name + "=x"}, Timeout: 20 * time.Second}
		_, err := s.Run(t.Context(), o, func([]byte) {})
		if name == "R" { // a new shell knows nothing of it
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			wantOutput(t, s, Options{Command: "echo *; echo \"[$SECRET]\""}, "ran there\n[]\n")
			continue
		}
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		wantOutput(t, s, Options{Command: "echo *; echo \"[$SECRET]\""}, "there\n[]\n")
	}
}
