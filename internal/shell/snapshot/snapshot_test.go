//go:build unix

package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pi/internal/environ"
	"pi/internal/shell"
	"pi/internal/testmain"
)

// rcHome is a home directory with an rc file, and what a snapshot of it is made from.
type rcHome struct {
	t    *testing.T
	dir  string
	spec Spec
}

func shellFor(t *testing.T, name string) shell.Shell {
	t.Helper()
	path := testmain.Tool(t, name)
	return shell.Shell{Path: path, Dialect: shell.DialectOf(name)}
}

func newHome(t *testing.T, dialect, rc string) *rcHome {
	t.Helper()
	h := &rcHome{t: t, dir: filepath.Join(t.TempDir(), "my home's $dir `x` \"y\" \\z")}
	if err := os.Mkdir(h.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	h.spec = Spec{
		Shell: shellFor(t, dialect), Home: h.dir, CacheDir: filepath.Join(h.dir, "cache", "snapshots"),
		Env:   []string{"HOME=" + h.dir, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOST_VAR=host"},
		limit: time.Minute,
	}
	h.write(rc)
	return h
}

func (h *rcHome) rcPath() string {
	own, _ := h.spec.Shell.Dialect.Snapshot.RCFiles(h.dir, nil)
	return own[0]
}

func (h *rcHome) write(rc string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(h.rcPath()), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(h.rcPath(), []byte(rc), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

func (h *rcHome) read(name string) string {
	b, err := os.ReadFile(filepath.Join(h.dir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.t.Fatal(err)
	}
	return string(b)
}

func (h *rcHome) take() (Snapshot, string) {
	h.t.Helper()
	return Take(h.t.Context(), h.spec)
}

// must takes a snapshot that has to be there.
func (h *rcHome) must() Snapshot {
	h.t.Helper()
	s, warning := h.take()
	if warning != "" || s.Script == "" {
		h.t.Fatalf("Take = %+v, warning %q", s, warning)
	}
	return s
}

// run runs a command with the snapshot, in a directory of its own.
func (h *rcHome) run(s Snapshot, command string) string {
	h.t.Helper()
	return output(h.t, shell.Spec{Shell: h.spec.Shell, Snapshot: s.Script, Env: h.spec.Env, Command: command})
}

// output runs a command in a new directory and returns what it prints.
func output(t *testing.T, sp shell.Spec) string {
	t.Helper()
	var out bytes.Buffer
	sp.Dir, sp.Timeout = t.TempDir(), time.Minute
	sp.Output = func(_ shell.Stream, p []byte) bool { out.Write(p); return true }
	end, err := shell.Execute(t.Context(), sp)
	if err != nil {
		t.Fatalf("Execute(%q): %v", sp.Command, err)
	}
	for _, f := range end.Held {
		f.Close()
	}
	return out.String()
}

// guarded begins like most rc files do.
const (
	bashGuard = "case $- in *i*) ;; *) return;; esac\n[ -z \"$PS1\" ] && return\n[[ $TERM == dumb ]] && return\n"
	fishGuard = "status is-interactive; or exit\ntest $TERM = dumb; and exit\n"
	zshGuard  = "[[ -o interactive ]] || return\n[[ $- == *i* ]] || exit 3\n[[ $TERM == dumb ]] && return\n"
)

func TestSnapshotCarries(t *testing.T) {
	for _, tt := range []struct {
		name              string
		dialect           string
		rc, command, want string
	}{
		{"alias and function", "bash", "alias hey='echo hi'\nfn() { echo \"fn $1 $#\"; }", "hey\nfn a b", "hi\nfn a 2\n"},
		{"alias of an alias", "bash", "alias a='echo x'\nalias b='a '\nalias c=y", "b c", "x y\n"},
		{"alias named -", "bash", "alias -- -='echo dash'", "- x", "dash x\n"},
		{"alias named 1", "bash", "alias 1='echo one'", "1 x", "one x\n"},
		{"alias with punctuation", "bash", "alias ..='echo up' @=\"echo at\" a:b='echo colon' %='echo pc' +=\"echo plus\"", "..; @; a:b; %; +", "up\nat\ncolon\npc\nplus\n"},
		{"alias with quotes and newline", "bash", `alias q='echo "it'\''s"` + "\necho two'", "q", "it's\ntwo\n"},
		{"function with a here-document", "bash", "h() {\n  cat <<EOF | tr a-z A-Z\nhi $1\n\tEOF is not here\nEOF\n  echo after\n}", "h you", "HI YOU\n\tEOF IS NOT HERE\nafter\n"},
		{"function with two here-documents", "bash", "h() {\n  cat <<A - <<'B'\nnone\nA\n$x `y`\nB\n}", "h", "$x `y`\n"},
		{"function with an odd name", "bash", "a-b.c() { echo 1; }\nfunction foo+bar { echo 2; }\nfunction a:b { echo 3; }\nfunction @x { echo 4; }\nfunction é { echo 5; }",
			"a-b.c; foo+bar; a:b; @x; é", "1\n2\n3\n4\n5\n"},
		{"function that needs extglob to be read", "bash", "shopt -s extglob\nf() { case $1 in !(a|b)) echo no;; *) echo yes;; esac; }\nshopt -u extglob", "f a; shopt -q extglob; echo $?; shopt -s extglob; f c", "yes\n1\nno\n"},
		{"function with an alias of its own words", "bash", "f() { echo ab; }\nalias echo2=false f2=f", "f; f2", "ab\nab\n"},
		{"alias does not change functions again", "bash", "alias hey='echo hi'\nf() { hey there; }\nalias hey='echo bye'", "f; hey", "hi there\nbye\n"},
		{"private helpers that are used", "bash", "f() { _a; }\n_a() { _b-c; }\n_b-c() { echo deep; }\n_unused() { :; }\nalias z=_z\n_z() { echo z; }", "f; z; declare -F | grep -c unused", "deep\nz\n0\n"},
		{"completion functions are not", "bash", "f() { COMPREPLY=(); }\n_g() { COMPREPLY=(); }\ncomplete -F _g g", "declare -F | wc -l", "0\n"},
		{"options", "bash", "shopt -s globstar nullglob", "mkdir -p a/b; touch a/b/c; echo **/c; echo none*", "a/b/c\n\n"},
		{"options that break commands", "bash", "set -eux -o pipefail -o posix -o noclobber; set -n; set -v; shopt -s failglob xpg_echo", "echo a > f; echo b > f; false; echo $nope; echo '\\n' *.zz; false | true; echo $?; set -o | grep -E '(errexit|nounset|xtrace|posix|pipefail|noexec|verbose|noclobber)\\s+on'", "\n\\n *.zz\n0\n"},
		{"core names stay what they are", "bash", "grep() { echo no; }\nfunction [ { builtin false; }\nprintf() { :; }\ncd() { :; }\nunset() { :; }\neval() { :; }\nalias rm='rm -i' ls=eza cd=z cp='cp -i' mv='mv -i' cat=bat find=fd echo='echo x' if=no test=no '['=no '!'=no\nbuiltin() { :; }",
			"touch f; rm f; cd /; pwd; echo a | grep a; if [ a = a ]; then printf 'b\\n'; fi; alias; declare -F", "/\na\nb\n"},
		{"traps stay out", "bash", "trap 'echo DEBUG' DEBUG; trap 'echo EXIT' EXIT; trap 'echo ERR' ERR; trap 'echo RET' RETURN; f() { :; }", "f; false; trap", ""},
		{"hooks stay out", "bash", "command_not_found_handle() { echo handled; return 3; }\nPROMPT_COMMAND='echo prompt'", "no_such_cmd_zz; echo $?", "bash: line 1: no_such_cmd_zz: command not found\n127\n"},
		{"output stays out", "bash", "echo NOISE; echo NOISE >&2; printf '\\e]0;t\\a'; alias a='echo a'", "a", "a\n"},
		{"directory stays", "bash", "cd /; alias a=pwd", "a | sed 's,.*/,,' | grep -c .", "1\n"},
		{"parameters, messages and status are those of -c", "bash", "alias a=b\nset -- x y z\nIFS=,", "echo $? $# $0 \"$_\" $LINENO ${BASH_SOURCE-none} ${BASH_ENV-unset}; printf '%q ' \"$IFS\"; echo $-; no_such_cmd_zz", "0 0 bash bash 1 none unset\n$' \\t\\n' hBc\nbash: line 1: no_such_cmd_zz: command not found\n"},
		{"children get nothing", "bash", "alias a=b\nexport -f a 2>/dev/null\nf() { :; }\nexport -f f", "env | grep -c -e BASH_ENV -e BASH_FUNC", "0\n"},

		{"alias and function", "zsh", "alias hey='echo hi'\nfn() { echo \"fn $1 $#\" }", "hey\nfn a b", "hi\nfn a 2\n"},
		{"odd aliases", "zsh", "alias -- -='echo dash'\nalias 1='echo one' '(x)=echo paren' '@'='echo at' '*'='echo star' 'a b'='echo blank' q='echo \"it'\\''s\"\necho two'", "-; 1; @; q; alias '(x)' '*' 'a b' | wc -l", "dash\none\nat\nit's\ntwo\n3\n"},
		{"odd functions", "zsh", "a-b.c() { echo 1 }\n'foo bar'() { echo 2 }\nfunction '-x' { echo 3 }\nfunction 'it'\\''s' { echo 4 }", "a-b.c; 'foo bar'; -x; it\\'s", "1\n2\n3\n4\n"},
		{"function with a here-document", "zsh", "h() {\n  cat <<EOF | tr a-z A-Z\nhi $1\nEOF\n  echo after\n}", "h you", "HI YOU\nafter\n"},
		{"autoloaded function", "zsh", "mkdir -p ~/fn; echo 'echo loaded $1' > ~/fn/lazy; fpath=(~/fn $fpath); autoload -Uz lazy", "lazy x", "loaded x\n"},
		{"options", "zsh", "setopt extendedglob nullglob", "touch a b; echo ^a none*", "b\n"},
		{"options that change the dump", "zsh", "setopt ksharrays shwordsplit nounset noglob errexit kshglob\nalias a='echo x'\nf() { v='1 2'; print -l $v }", "a; f", "x\n1\n2\n"},
		{"options that break commands", "zsh", "setopt errexit nounset xtrace noclobber verbose pipefail printexitvalue 2>/dev/null; alias a=b", "echo a > f; echo b > f; false; echo $nope; false | true; echo $?", "\n0\n"},
		{"core names stay what they are", "zsh", "alias rm='rm -i' ls=eza cd=z for=no setopt=no print=no\nalias -g G='| grep'\nalias -s txt=cat\ngrep() { echo no }\nprintf() { : }", "touch f; rm f; cd /; pwd; echo a G | grep a; for i in 1; do print $i; done", "/\na G\n1\n"},
		{"traps and hooks stay out", "zsh", "TRAPEXIT() { echo EXIT }\nTRAPDEBUG() { echo DBG }\ntrap 'echo ZERR' ZERR\nchpwd() { echo CHPWD }\ncommand_not_found_handler() { echo handled; return 3 }", "cd /; no_such_cmd_zz; echo $?", "zsh:1: command not found: no_such_cmd_zz\n127\n"},
		{"parameters are those of -c", "zsh", "alias a=b\nset -- x y", "echo $? $# $0 \"$_\" $LINENO ${ZDOTDIR-unset}; setopt", "0 0 zsh  1 unset\nnohashdirs\nnorcs\n"},
		{"function and alias", "fish", "function fn\n  echo fn $argv[1] (count $argv)\nend\nalias hey 'echo hi'", "fn a b; hey you", "fn a 2\nhi you\n"},
		{"abbreviations become functions", "fish", `abbr -a g 'echo git'
abbr -a -- q "echo 'a\\\\b' \"it's\""
abbr -a h --position anywhere --regex x.z -- nope`, "g st; q b; functions -q h; echo $status", "git st\na\\b it's b\n1\n"},
		{"autoloaded function", "fish", "mkdir -p ~/.config/fish/functions\necho 'function lazy; echo loaded $argv; end' > ~/.config/fish/functions/lazy.fish", "lazy x", "loaded x\n"},
		{"shipped function redefined", "fish", "function ll; echo mine; end", "ll", "mine\n"},
		{"private helpers that are used", "fish", "function f; _a; end\nfunction _a; echo deep; end\nfunction _b; end", "f; functions -q _b; echo $status", "deep\n1\n"},
		{"function with odd text", "fish", "function o --argument-names n -d 'it\\'s'\n  echo \"$n \\$x\" 'a\\\\b' # c\n  cat (echo n | psub)\nend", "o 1", "1 $x a\\b\nn\n"},
		{"core names stay what they are", "fish", "alias rm 'rm -i'\nfunction ls; echo no; end\nfunction cd; echo no; end\nfunction string; echo no; end", "touch f; rm f; ls; cd /; pwd; string length abc", "/\n3\n"},
		{"hooks stay out", "fish", "function fish_command_not_found; echo handled; end\nfunction fish_greeting; echo hi; end", "nope_zz", "fish: Unknown command: nope_zz\nfish: \nnope_zz\n^~~~~~^\n"},
		{"output stays out", "fish", "echo NOISE; echo NOISE >&2; function a; echo a; end", "a", "a\n"},
		{"directory and status stay", "fish", "cd /; function a; pwd; end\nfalse", "echo $status; a | string match -q /; echo $status", "0\n1\n"},

		{"~/.zshenv counts", "zsh", "alias a='echo a'; echo 'alias b=\"echo b\"' > /dev/null", "a", "a\n"},
	} {
		t.Run(string(tt.dialect)+"/"+tt.name, func(t *testing.T) {
			t.Parallel()
			guard := bashGuard
			switch tt.dialect {
			case "zsh":
				guard = zshGuard
			case "fish":
				guard = fishGuard
			}
			h := newHome(t, tt.dialect, guard+tt.rc+"\n")
			s := h.must()
			if got := h.run(s, tt.command); got != tt.want {
				t.Errorf("got  %q\nwant %q\nscript:\n%s", got, tt.want, h.script(s))
			}
		})
	}
}

func (h *rcHome) script(s Snapshot) string {
	b, err := os.ReadFile(s.Script)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(b)
}

// TestSnapshotFaults: whatever an rc file does, commands run, it costs at most one warning, and nothing that it started is left.
func TestSnapshotFaults(t *testing.T) {
	daemon := "(trap '' TERM HUP; echo $BASHPID ${sysparams[pid]} >> ~/pids; exec sleep 1000) &\nsetsid sh -c 'echo $$ >> ~/pids; exec sleep 1000' &\n" +
		"until [ \"$(wc -l < ~/pids)\" -ge 2 ]; do sleep 0.01; done\n"
	for _, tt := range []struct {
		name, rc string
		warning  string // of the first call; empty: the alias is there
		bash     bool   // what bash alone is protected against
	}{
		{"exits", "exit 1", "they ended or replaced the shell (status 1)", false},
		{"ends by a signal", "kill -KILL $$", "they ended or replaced the shell (signal killed)", false},
		{"replaces the shell", "exec true", "they ended or replaced the shell (status 0)", false},
		{"replaces the shell by one that stays", "exec sleep 1000", "they were not read within 300ms", false},
		{"sleeps", "sleep 1000", "they were not read within 2s", false},
		{"loops", "while :; do :; done", "they were not read within 300ms", false},
		{"loops, deaf to signals", "trap '' TERM INT HUP; while :; do sleep 1000; done", "they were not read within 300ms", false},
		{"reads stdin", "read x; cat", "", false},
		{"prints 10 MB", "head -c 10000000 /dev/zero | tr '\\0' x; head -c 10000000 /dev/zero >&2", "", false},
		{"starts daemons", "zmodload zsh/system 2>/dev/null\n" + daemon, "", false},
		{"starts daemons and hangs", "zmodload zsh/system 2>/dev/null\n" + daemon + "sleep 1000", "they were not read within 300ms", false},
		{"sends its output away", "exec >/dev/null 2>&1", "", false},
		{"pipes its output", "exec 2>&1 | cat", "", false},
		{"closes descriptors", "exec 0<&- 1>&- 2>&- 3>&- 4>&- 9>&-", "", false},
		{"takes descriptors", "exec 3>/dev/null 4>&1 5>&2 6</dev/null", "", false},
		{"wants a terminal", "stty -echo; stty sane; tty; : </dev/tty", "", false},
		{"returns", "return 3", "", false},
		{"is set to fail", "set -e; set -u", "", false},
		{"counterfeits an answer", "printf '\\0Bx\\0F\\0a\\0Zx\\0' >&3; printf '\\0Zx\\0'", "", false},
		{"has function names of ours", "unset() { false; }; builtin() { false; }; printf() { false; }; command() { false; }; declare() { false; }; alias_() { :; }", "", true},
		{"has a failing last command", "false", "", false},
		{"locks the directory", "umask 777", "", false},
		{"breaks PATH", "export PATH=/nowhere", "", false},
		{"breaks HOME", "export HOME=/nowhere", "", false},
	} {
		for _, k := range []string{"bash", "zsh"} {
			if k == "zsh" && tt.bash {
				continue
			}
			t.Run(k+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				h := newHome(t, k, "alias hey='echo alias'\n"+tt.rc+"\n")
				if strings.Contains(tt.warning, "within") { // of the limit, the true one where it is "2s"
					h.spec.limit = 300 * time.Millisecond
				}
				if strings.Contains(tt.warning, "2s") {
					h.spec.limit = 0
				}
				s, warning := h.take()
				if tt.warning == "" && warning != "" || !strings.Contains(warning, tt.warning) {
					t.Errorf("warning %q, want %q", warning, tt.warning)
				}
				if tt.warning != "" {
					if s, again := h.take(); s.Script != "" || again != "" || !strings.Contains(s.Failure, tt.warning) {
						t.Errorf("second call: %+v, warning %q", s, again)
					}
				}
				want := "ok\n"
				if tt.warning == "" {
					want += "alias\n"
				}
				if got := h.run(s, "echo ok\nhey 2>/dev/null"); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
				for _, pid := range strings.Fields(h.read("pids")) {
					n, err := strconv.Atoi(pid)
					if err != nil {
						t.Fatal(err)
					}
					if err := syscall.Kill(n, 0); !errors.Is(err, syscall.ESRCH) {
						t.Errorf("process %d is left: %v", n, err)
					}
				}
				h.tidy()
			})
		}
	}
}

// tidy checks that the cache holds entries and locks only, and that nobody else can look at them.
func (h *rcHome) tidy() {
	h.t.Helper()
	err := filepath.WalkDir(h.spec.CacheDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = fs.ModeDir | 0o700
		}
		if info.Mode() != want || strings.HasPrefix(d.Name(), "new-") {
			h.t.Errorf("%s: mode %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		h.t.Error(err)
	}
}

// TestSnapshotSyntaxError: what stands before the error holds, as at a prompt.
func TestSnapshotSyntaxError(t *testing.T) {
	for _, k := range []string{"bash", "zsh"} {
		h := newHome(t, k, "alias hey='echo alias'\n\nif then (((\nfi\n")
		s, warning := h.take()
		if warning != "" {
			t.Errorf("%s: %s", k, warning)
		}
		if got := h.run(s, "hey"); got != "alias\n" && k == "bash" {
			t.Errorf("%s: %q", k, got)
		}
	}
}

func TestSnapshotVariables(t *testing.T) {
	const rc = `export PLAIN=1 MULTI='a
b' EMPTY= BYTES=$(printf '\377') HOST_VAR=rc
export PATH="$HOME/bin:$PATH" PAGER=less
export FOO_TOKEN=s3cret AWS_SECRET_ACCESS_KEY=s3cret my_password=s3cret API_KEY=s3cret GITHUB_PAT=s3cret
export DATABASE_URL=postgres://me:s3cret@db/x SITE=https://example.com/a:b@c INNOCENT=ghp_s3cret
export PS1=x PS4=y TERM=x HISTFILE=~/h CDPATH=/ SHLVL=9
not_exported=1
`
	for _, k := range []string{"bash", "zsh"} {
		h := newHome(t, k, rc)
		s := h.must()
		want := []string{"BYTES=\xff", "CDPATH=/", "EMPTY=", "HOST_VAR=rc", "MULTI=a\nb", "PAGER=less", "PATH=" + h.dir + "/bin:" + os.Getenv("PATH"), "PLAIN=1", "SITE=https://example.com/a:b@c"}
		if !slices.Equal(s.Env, want) {
			t.Errorf("%s: %q\nwant %q", k, s.Env, want)
		}
		if again := h.must(); !slices.Equal(again.Env, want) || !again.Made.Equal(s.Made) {
			t.Errorf("%s: from the cache %q", k, again.Env)
		}
		if s.LeftOut != 7 && k == "bash" {
			t.Errorf("%s: %d left out", k, s.LeftOut)
		}
		if strings.Contains(h.script(s), "s3cret") {
			t.Errorf("%s: a secret is on the disk:\n%s", k, h.script(s))
		}
		h.tidy()
	}
}

func TestSnapshotSettles(t *testing.T) {
	had := []string{"PATH=/venv/bin:/home/bin:/bin"}
	for _, tt := range []struct {
		name       string
		vars, want []string
	}{
		{"another order of the same directories", []string{"PATH=/home/bin:/venv/bin:/bin"}, nil},
		{"a new directory", []string{"PATH=/new:/venv/bin:/home/bin:/bin"}, []string{"PATH=/new:/venv/bin:/home/bin:/bin"}},
		{"a socket", []string{"SSH_AUTH_SOCK=/s"}, []string{"SSH_AUTH_SOCK=/s"}},
		{"a socket of an agent that was ended", []string{"SSH_AUTH_SOCK=/s", "SSH_AGENT_PID=7"}, nil},
		{"odd names", []string{"a-b=1", "1=1", "=1", "BASH_FUNC_x%%=() { :; }"}, nil},
		{"huge", []string{"A=" + strings.Repeat("x", maxVariable)}, nil},
	} {
		if got := (dumped{vars: tt.vars}).filter(had, shell.DialectOf("bash").Snapshot).env; !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// counted is an rc file that leaves a mark each time it is read.
const counted = "echo x >> ~/count\nexport HOST_VAR=\"$HOST_VAR+\"\nalias hey='echo hi'\n"

func TestSnapshotCache(t *testing.T) {
	for _, k := range []string{"bash", "zsh"} {
		t.Run(k, func(t *testing.T) {
			h := newHome(t, k, counted)
			reads := func(why string, want int) {
				t.Helper()
				if got := strings.Count(h.read("count"), "x"); got != want {
					t.Errorf("%s: read %d times, want %d", why, got, want)
				}
			}
			first := h.must()
			reads("first", 1)
			h.must()
			reads("unchanged", 1)
			if err := os.Chtimes(h.rcPath(), time.Time{}, time.Unix(1e9, 0)); err != nil {
				t.Fatal(err)
			}
			h.must()
			reads("another time", 2)
			h.write(counted + "alias extra='echo extra'\n")
			if got := h.run(h.must(), "extra"); got != "extra\n" {
				t.Errorf("after a change: %q", got)
			}
			reads("changed", 3)
			h.spec.Env = append(slices.Clone(h.spec.Env), "UNRELATED=1")
			h.must()
			reads("a variable that rc files do not change", 3)
			h.spec.Env = slices.DeleteFunc(h.spec.Env, func(kv string) bool { return environ.Name(kv) == "HOST_VAR" })
			h.spec.Env = append(h.spec.Env, "HOST_VAR=other")
			if s := h.must(); !slices.Contains(s.Env, "HOST_VAR=other+") {
				t.Errorf("another host value: %q", s.Env)
			}
			reads("a variable that they change", 4)
			h.spec.Env = append(h.spec.Env, "LC_ALL=C")
			h.must()
			reads("a variable that rc files build on", 5)

			s := h.must()
			for _, spoil := range []struct {
				name string
				do   func() error
			}{
				{"open to others", func() error { return os.Chmod(s.Script, 0o644) }},
				{"cut", func() error { return os.Truncate(s.Script, 40) }},
				{"a link", func() error {
					return errors.Join(os.Rename(s.Script, filepath.Join(h.dir, "elsewhere")), os.Symlink(filepath.Join(h.dir, "elsewhere"), s.Script))
				}},
				{"a fifo", func() error { return errors.Join(os.Remove(s.Script), syscall.Mkfifo(s.Script, 0o600)) }},
			} {
				before := strings.Count(h.read("count"), "x")
				if err := spoil.do(); err != nil {
					t.Fatal(err)
				}
				if got := h.run(h.must(), "hey"); got != "hi\n" {
					t.Errorf("%s: %q", spoil.name, got)
				}
				reads(spoil.name, before+1)
			}
			if first.Aliases != 1 && k == "bash" {
				t.Errorf("%d aliases", first.Aliases)
			}
			h.tidy()
		})
	}
}

func TestSnapshotRetries(t *testing.T) {
	h := newHome(t, "bash", "echo x >> ~/count\nexit 1\n")
	if _, warning := h.take(); warning == "" {
		t.Error("no warning")
	}
	if _, warning := h.take(); warning != "" || h.read("count") != "x\n" {
		t.Errorf("warning %q, read %q", warning, h.read("count"))
	}
	h.write("alias hey='echo hi'\n")
	if got := h.run(h.must(), "hey"); got != "hi\n" {
		t.Errorf("mended: %q", got)
	}
}

func TestSnapshotNone(t *testing.T) {
	h := newHome(t, "bash", "alias a=b\n")
	for _, tt := range []struct {
		name   string
		change func(*Spec)
	}{
		{"plain sh", func(s *Spec) { s.Shell.Dialect = shell.DialectOf("sh") }},
		{"no home", func(s *Spec) { s.Home = "" }},
		{"relative home", func(s *Spec) { s.Home = "x" }},
		{"no rc file", func(s *Spec) { s.Home = t.TempDir() }},
		{"no place", func(s *Spec) { s.CacheDir = "" }},
	} {
		spec := h.spec
		tt.change(&spec)
		if s, warning := Take(t.Context(), spec); s.Script != "" || s.Failure != "" || warning != "" {
			t.Errorf("%s: %+v, %q", tt.name, s, warning)
		}
	}
	if _, err := os.Stat(h.spec.CacheDir); err == nil {
		t.Error("a cache directory was made for nothing")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, warning := Take(ctx, h.spec); s.Script != "" || warning == "" {
		t.Errorf("cancelled: %+v, %q", s, warning)
	}
	h.must() // a cancelled call is no failure of the rc file
	if err := os.WriteFile(filepath.Join(h.dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.spec.CacheDir = filepath.Join(h.dir, "file", "below")
	tmp := filepath.Join(h.dir, "tmp")
	if err := os.Mkdir(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", tmp)
	for range 2 { // taken, and found again
		if s, warning := h.take(); !strings.HasPrefix(s.Script, tmp+"/pi-snapshots-") || !strings.Contains(warning, "file") || strings.Contains(warning, "\n") {
			t.Errorf("no directory: %+v, %q", s, warning)
		}
	}
	t.Setenv("TMPDIR", h.spec.CacheDir)
	if s, warning := h.take(); s.Script != "" || warning == "" {
		t.Errorf("no directory at all: %+v, %q", s, warning)
	}
}

// TestSnapshotProcess is the child of the next test.
func TestSnapshotProcess(t *testing.T) {
	home := os.Getenv("PI_TEST_SNAPSHOT_HOME")
	if home == "" {
		return // not started by it
	}
	s, warning := Take(t.Context(), Spec{
		limit: time.Minute, Shell: shellFor(t, "bash"), Home: home, CacheDir: filepath.Join(home, "cache"), Env: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")},
	})
	fmt.Printf("%d aliases, warning %q\n", s.Aliases, warning)
}

// TestSnapshotConcurrent: many processes at once read the rc file once.
func TestSnapshotConcurrent(t *testing.T) {
	h := newHome(t, "bash", counted)
	type child struct {
		cmd *exec.Cmd
		out strings.Builder
	}
	var children []*child
	for range 20 {
		c := &child{cmd: exec.Command(os.Args[0], "-test.run=^TestSnapshotProcess$")}
		c.cmd.Env = append(os.Environ(), "PI_TEST_SNAPSHOT_HOME="+h.dir)
		c.cmd.Stdout = &c.out
		if err := c.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, c)
	}
	for _, c := range children {
		err := c.cmd.Wait() // its status is also about its goroutines, which is not what it is for
		if got := c.out.String(); !strings.HasPrefix(got, "1 aliases, warning \"\"\n") {
			t.Errorf("child: %v, %s", err, got)
		}
	}
	if got := h.read("count"); got != "x\n" {
		t.Errorf("read %d times", strings.Count(got, "x"))
	}
}

func TestSnapshotManyFunctions(t *testing.T) {
	for _, k := range []string{"bash", "zsh"} {
		var rc strings.Builder
		for i := range 5000 {
			rc.WriteString("f" + strconv.Itoa(i) + "() {\n  local x=$1\n  if [ -n \"$x\" ]; then\n    echo \"$x\" " + strconv.Itoa(i) + "\n  fi\n}\n")
		}
		h := newHome(t, k, rc.String())
		if s := h.must(); s.Functions < 5000 || h.run(s, "f4999 x") != "x 4999\n" {
			t.Errorf("%s: %+v", k, s)
		}
	}
}

func TestSnapshotSweep(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	for name, age := range map[string]time.Duration{"bash-old": 49 * time.Hour, "bash-new": time.Hour, "new-old": time.Hour, "new-new": time.Second} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, time.Time{}, now.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	sweep(dir, now)
	list, _ := os.ReadDir(dir)
	var left []string
	for _, e := range list {
		left = append(left, e.Name())
	}
	if want := []string{"bash-new", "new-new"}; !slices.Equal(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
}
