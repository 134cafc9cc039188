package intercept

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// blocked are commands that a default rule blocks. An empty fragment means the whole command.
var blocked = []struct{ command, id, fragment string }{
	// reading files
	{"cat f", "read-file", ""},
	{"cat -n f", "read-file", ""},
	{"cat ./a/b.go", "read-file", ""},
	{"cat 'a b'", "read-file", ""},
	{"cat $f", "read-file", ""},
	{`cat "$HOME/.profile"`, "read-file", ""},
	{"cat a b | wc -l", "read-file", "cat a b"},
	{"cat f | wc -l", "read-file", "cat f"},
	{"cat *.go | sort | uniq -c", "read-file", "cat *.go"},
	{"head -n 5 f", "read-file", ""},
	{"head -5 f", "read-file", ""},
	{"head f", "read-file", ""},
	{"less f", "read-file", ""},
	{"more f", "read-file", ""},
	{"tail f", "read-tail", ""},
	{"tail -n 5 f", "read-tail", ""},
	{"tail -5 f", "read-tail", ""},
	{"tail -n +5 f", "read-tail", ""},
	{"tail -c 100 f", "read-tail", ""},
	{"tail --lines=5 f", "read-tail", ""},
	{"cat f > g", "read-file", ""},
	{"cat f 2>/dev/null", "read-file", ""},
	{"2>/dev/null cat f", "read-file", ""},
	// command position
	{"a; cat f", "read-file", "cat f"},
	{"a && cat f; b", "read-file", "cat f"},
	{"a || cat f", "read-file", "cat f"},
	{"a\ncat f\nb", "read-file", "cat f"},
	{"a & cat f", "read-file", "cat f"},
	{"cat f &", "read-file", "cat f"},
	{"cat f;", "read-file", "cat f"},
	{"cd x && cat f", "read-file", "cat f"},
	{"cd 'a b' && cat f", "read-file", "cat f"},
	{"X=1 cat f", "read-file", ""},
	{"X=1 Y='a b' cat f", "read-file", ""},
	{`\cat f`, "read-file", ""},
	{"'cat' f", "read-file", ""},
	{`"cat" f`, "read-file", ""},
	{`c"a"t f`, "read-file", ""},
	{"/bin/cat f", "read-file", ""},
	{"/usr/bin/env cat f", "read-file", ""},
	{"command cat f", "read-file", ""},
	{"command -p cat f", "read-file", ""},
	{"builtin echo a > f", "write-echo", ""},
	{"exec cat f", "read-file", ""},
	{"env cat f", "read-file", ""},
	{"env -i A=1 cat f", "read-file", ""},
	{"env -u HOME cat f", "read-file", ""},
	{"nohup cat f", "read-file", ""},
	{"nice -n 5 cat f", "read-file", ""},
	{"timeout 5 cat f", "read-file", ""},
	{"timeout -k 1 5s cat f", "read-file", ""},
	{"stdbuf -oL cat f", "read-file", ""},
	{"sudo cat f", "read-file", ""},
	{"sudo -u root A=1 cat f", "read-file", ""},
	{"sudo -n -- env A=1 cat f", "read-file", ""},
	{"time cat f", "read-file", "cat f"},
	{"time -p cat f", "read-file", "cat f"},
	{"! cat f", "read-file", "cat f"},
	{"echo $(cat f)", "read-file", "cat f"},
	{"echo \"v: $(cat f)\"", "read-file", "cat f"},
	{"echo `cat f`", "read-file", "cat f"},
	{"x=$(cat f)", "read-file", "cat f"},
	{"export X=$(cat f)", "read-file", "cat f"},
	{"echo ${x:-$(cat f)}", "read-file", "cat f"},
	{"a[$(cat f)]=1", "read-file", "cat f"},
	{"diff <(cat f) g", "read-file", "cat f"},
	{"(cat f)", "read-file", "cat f"},
	{"{ cat f; }", "read-file", "cat f"},
	{"if cat f; then a; fi", "read-file", "cat f"},
	{"if a; then cat f; fi", "read-file", "cat f"},
	{"if a; then b; else cat f; fi", "read-file", "cat f"},
	{"for i in *; do cat $i; done", "read-file", "cat $i"},
	{"for i in $(cat f); do a; done", "read-file", "cat f"},
	{"while a; do cat f; done", "read-file", "cat f"},
	{"until cat f; do a; done", "read-file", "cat f"},
	{"case a in a) cat f ;; esac", "read-file", "cat f"},
	{"f() { cat g; }; f", "read-file", "cat g"},
	{"[[ $(cat f) == a ]]", "read-file", "cat f"},
	{"cat <<E\n$(cat f)\nE", "read-file", "cat f"},
	{"ps | while read l; do cat $l; done", "read-file", "cat $l"},
	// searching
	{"grep x f", "search-text", ""},
	{"grep -r x .", "search-text", ""},
	{"grep -rn --include='*.go' -e x .", "search-text", ""},
	{"grep -q x f && a", "search-text", "grep -q x f"},
	{"egrep x f", "search-text", ""},
	{"fgrep x f", "search-text", ""},
	{"rg x", "search-text", ""},
	{"ripgrep x", "search-text", ""},
	{"ag x", "search-text", ""},
	{"ack x", "search-text", ""},
	{"a && grep x f", "search-text", "grep x f"},
	{"grep x f | head", "search-text", "grep x f"},
	{"grep x f | grep y | grep -v z", "search-text", "grep x f"},
	{"grep -n 'sed -i' notes", "search-text", ""},
	{"if ! grep -q x f; then a; fi", "search-text", "grep -q x f"},
	{"ps | while read l; do grep x f; done", "search-text", "grep x f"},
	// finding files
	{"find . -name x", "find-find", ""},
	{"find . -name '*.go' -type f", "find-find", ""},
	{"find . -type d", "find-find", ""},
	{"find . \\( -iname a -o -path b \\)", "find-find", ""},
	{"find src -regex '.*x'", "find-find", ""},
	{"fd x", "find-fd", ""},
	{"fd -e go", "find-fd", ""},
	{"fd --type=f", "find-fd", ""},
	{"fd -g '*.go'", "find-fd", ""},
	{"fdfind x", "find-fd", ""},
	{"locate x", "find-locate", ""},
	{"find . -name x | xargs wc -l", "find-find", "find . -name x"},
	// editing
	{"sed -i s/a/b/ f", "edit-sed", ""},
	{"sed -i.bak s/a/b/ f", "edit-sed", ""},
	{"sed -i '' s/a/b/ f", "edit-sed", ""},
	{"sed -Ei s/a/b/ f", "edit-sed", ""},
	{"sed -n -i p f", "edit-sed", ""},
	{"sed 's/a/b/' -i f", "edit-sed", ""},
	{"sed '-i' s/a/b/ f", "edit-sed", ""},
	{"sed --in-place s/a/b/ f", "edit-sed", ""},
	{"sed --in-place=.bak s/a/b/ f", "edit-sed", ""},
	{"sed -e s/a/b/ -e s/c/d/ -i f g", "edit-sed", ""},
	{"a | xargs sed -i s/a/b/", "edit-sed", "xargs sed -i s/a/b/"},
	{"a | xargs -0 -n 1 sed -i s/a/b/", "edit-sed", "xargs -0 -n 1 sed -i s/a/b/"},
	{"perl -i -pe s/a/b/ f", "edit-perl", ""},
	{"perl -pi -e 's/a/b/' f", "edit-perl", ""},
	{"perl -0777 -pi.bak -e s/a/b/ f", "edit-perl", ""},
	{"perl -e s/a/b/ -i f", "edit-perl", ""},
	{"awk -i inplace '{print}' f", "edit-awk", ""},
	{"gawk -i inplace '{print}' f", "edit-awk", ""},
	{"gawk -iinplace '{print}' f", "edit-awk", ""},
	{"awk -v x=1 --include=inplace '{print}' f", "edit-awk", ""},
	// writing
	{"echo hi > f", "write-echo", ""},
	{"echo hi >f", "write-echo", ""},
	{"> f echo hi", "write-echo", ""},
	{"echo hi >> f", "write-echo", ""},
	{"echo hi 1> f", "write-echo", ""},
	{"echo x >| f", "write-echo", ""},
	{"echo x &> f", "write-echo", ""},
	{"echo x &>> f", "write-echo", ""},
	{"echo x >& f", "write-echo", ""},
	{"echo x > ./dev/null", "write-echo", ""},
	{"echo x > /devices/f", "write-echo", ""},
	{"echo x > /dev/shm/f", "write-echo", ""},
	{"echo x > /dev/../f", "write-echo", ""},
	{"echo x > 'a b'", "write-echo", ""},
	{"echo x > \"$f\"", "write-echo", ""},
	{"echo x > f 2>&1", "write-echo", ""},
	{"echo x 2>/dev/null > f", "write-echo", ""},
	{"echo > f", "write-echo", ""},
	{"printf '%s\\n' a > f", "write-echo", ""},
	{"date; echo x > f", "write-echo", "echo x > f"},
	{"echo a | cat; echo b > f", "write-echo", "echo b > f"},
	{"cat <<E > f\na\nE", "write-heredoc", "cat <<E > f"},
	{"cat > f <<E\na\nE", "write-heredoc", "cat > f <<E"},
	{"cat > f <<'E'\n$a\nE\necho done", "write-heredoc", "cat > f <<'E'"},
	{"cat >> f <<-E\n\ta\n\tE", "write-heredoc", "cat >> f <<-E"},
	{"cat <<< a > f", "write-heredoc", ""},
	{"sudo cat > f <<E\na\nE", "write-heredoc", "sudo cat > f <<E"},
}

// allowed are commands that no default rule blocks.
var allowed = []string{
	"", "true", "ls -la", "go test ./...", "make 2>&1", "cat", "grep", "find", "find .", "find . -mtime -1", "fd", "fd --version",
	"cat --version", "grep --version", "rg --files", "tail -f log", "tail -F log", "tail --follow log", "bash --version", "echo support",
	// data, not a command
	`git commit -m "use cat file"`, `git commit -m 'cat f; grep x f'`, "echo cat f", "echo 'cat f'", "echo \"; cat f\"", "x='a; cat f'",
	"echo a # cat f", "# cat f", "printf '%s' 'sed -i'", "man cat", "which grep", "command -v cat", "command -V grep", "type find",
	"cat <<E\nrm -rf /\ncat f\nsed -i x\nE", "cat <<'E'\n$(cat f)\nE", "bash -c 'cat f'", "ssh host cat f", "git grep x", "catalog f", "grepx f",
	"echo $'cat f'", "alias c='cat f'", "python -c 'import cat'", "concat f", "./cat f", "npm run find -name x", "sed s/cat/x/", "sed -n 1p f",
	"sed 's/ -i/x/' f", "sed -e 'i\\' f", "sed --expression=s/a/i/ f", "sed -f script f", "perl script.pl -i", "perl -ne 'print if /i/' f",
	"perl -e 'print q( -i )'", "perl -Mstrict script.pl", "awk '{print}' f", "awk -v i=inplace '{print i}' f", "awk '/-i inplace/' f",
	// filters
	"printf x | grep x", "git log | head", "ps aux | grep ssh | grep -v grep", "a |& grep x", "<f grep x", "grep x < f", `grep x <<< "$v"`,
	"grep x - < f", "cat < f", "cat <<E\na\nE", "cat <<< a", "cat - <<E\na\nE", "head -5 <<< a", "ls | cat", "ls | tail -n 5", "a | time grep x",
	"(a | grep x)", "a | (grep x)", "a | { head -n 1; grep x; }", "a | { read x; cat; }", "a | while read l; do cat; done", "a | (b; grep x) | c",
	"while read l; do grep x; done < f", "{ grep x; cat; } <<E\na\nE", "x=$(ls | grep x)", "a | xargs grep x", "a | xargs cat", "a > >(grep x)",
	"tee >(grep x) f", "cat <(a)", "grep x <(a)", "cat /dev/null", "head -c 16 /dev/urandom", "cat /dev/stdin", "coproc grep x", "find . | grep x",
	// no writing to files
	"echo x >/dev/null", "echo x 2>&1", "echo x >&2", "echo x 1>&2", "echo x > /dev/stderr", "echo x > /dev/stdout", "echo x > /dev/tty",
	"echo x > /dev/fd/3", "echo x > //dev/./null", "echo x &>/dev/null", "echo x >& /dev/null", "echo x 2> f", "echo x 3> f", "echo x >&-", "echo x >&$fd",
	"echo a; date > f", "echo x; date 2>/dev/null", "date > f; echo x", "echo 'a > b'", `echo "a -> b"`, `echo a \> b`, "echo a\\>b", "echo '>' f",
	"echo a '>>' b", "echo $((1>2))", "echo a >/dev/tcp/host/80", "printf x | tee f", "date > f", "sort f > g", "> f", ": > f", "true > f",
	"{ echo a; echo b; } > f", "echo x | cat > f", "[ a \\> b ]", "[[ a > b ]]",
	// texts that do not parse are not matched in part
	"echo 'a; cat f", "echo \x00; cat f", "git commit -m 'cat f", "ls; fi; cat f", "a; cat f (", "ps | grep x; fi", "echo \"a", "cat <<E; fi\na\nE",
	"b; cat f; " + strings.Repeat("a", 17<<10),
	"echo x > >(tee log)", "echo x 2> >(tee log)",
}

// unparsedBlocked are texts that do not parse, but whose first line a shell runs.
var unparsedBlocked = []struct{ command, id string }{
	{"cat f (", "read-file"}, {"cat f; fi", "read-file"}, {"cat f; $(", "read-file"}, {"cat f | | b", "read-file"},
	{"cat f\necho \"open", "read-file"}, {"cat f\narr=([a]=1 [b c]=2)", "read-file"}, {"sudo cat f; fi", "read-file"},
	{"cat <<E > f\na", "write-heredoc"}, {"cat > f <<E\nhello", "write-heredoc"}, {"cat >f <<E\nhello", "write-heredoc"},
	{"echo a >> f; fi", "write-echo"}, {"grep -r x . | (", "search-text"}, {"sed -i s/a/b/ f; fi", "edit-sed"},
	{"cat f; " + strings.Repeat("a", 17<<10), "read-file"},
	{"cat > f <<'E'\n" + strings.Repeat("text\n", 5<<10) + "E\n", "write-heredoc"},
}

func TestUnparsedText(t *testing.T) {
	c := newDefault(t)
	for _, row := range unparsedBlocked {
		got := c.Check(row.command, DefaultTools())
		if got.RuleID != row.id || got.Fragment != strings.TrimSpace(row.command) {
			t.Errorf("%.60q: rule %q, fragment %.60q; want %q, the whole", row.command, got.RuleID, got.Fragment, row.id)
		}
	}
}

func newDefault(t testing.TB) *Checker {
	c, invalid := New(nil, false)
	if len(invalid) > 0 {
		t.Fatalf("default rules are invalid: %v", invalid)
	}
	return c
}

func TestDefaultsBlock(t *testing.T) {
	c := newDefault(t)
	for _, row := range blocked {
		want := row.fragment
		if want == "" {
			want = row.command
		}
		got := c.Check(row.command, DefaultTools())
		if !got.Blocked || got.RuleID != row.id || got.Fragment != want {
			t.Errorf("%q: rule %q, fragment %q; want %q, %q", row.command, got.RuleID, got.Fragment, row.id, want)
		}
		if v := c.Check(row.command, nil); v != (Verdict{}) {
			t.Errorf("%q: blocked by %s without its tool", row.command, v.RuleID)
		}
	}
}

func TestDefaultsAllow(t *testing.T) {
	c := newDefault(t)
	for _, command := range allowed {
		if got := c.Check(command, DefaultTools()); got != (Verdict{}) {
			t.Errorf("%.60q: blocked by %s at %q", command, got.RuleID, got.Fragment)
		}
	}
}

func TestDefaultRules(t *testing.T) {
	if _, invalid := New(DefaultRules(), true); len(invalid) > 0 {
		t.Error(invalid)
	}
	docs, err := os.ReadFile("../../docs/interception.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range defaults() {
		if !bytes.Contains(docs, []byte("`"+r.id+"`")) {
			t.Errorf("%s is not in docs/interception.md", r.id)
		}
		if re, err := r.compile(); err != nil || !re.Linear() {
			t.Errorf("%s: not linear, or %v", r.id, err)
		}
	}
}

func TestVerdict(t *testing.T) {
	got := newDefault(t).Check("cd x && cat f", []string{"read"})
	want := Verdict{
		Blocked: true, Rule: 0, RuleID: "read-file", Tool: "read", Reason: useRead, Fragment: "cat f",
		Message: "Blocked: " + useRead + "\n\nOriginal command: cd x && cat f",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUserRules(t *testing.T) {
	for _, c := range []struct {
		name          string
		rule          Rule
		command, want string // want: the fragment; empty: allowed
	}{
		{"whole command", Rule{Pattern: "use cat", Tool: "read"}, `git commit -m "use cat file"`, `git commit -m "use cat file"`},
		{"anchored whole", Rule{Pattern: "^rm .*; ls$", Tool: "read"}, "rm a; ls", "rm a; ls"},
		{"simple command", Rule{Pattern: "^rm ", Tool: "read"}, "cd x && rm a; ls", "rm a"},
		{"after a wrapper", Rule{Pattern: "^rm -rf /$", Tool: "write"}, "sudo rm -rf '/'", "sudo rm -rf '/'"},
		{"as written", Rule{Pattern: `^rm "a b"$`, Tool: "write"}, `x; rm "a b"`, `rm "a b"`},
		{"with redirect", Rule{Pattern: `> log$`, Tool: "write"}, "make > log; x", "make > log"},
		{"any stage", Rule{Pattern: "^tee ", Tool: "write"}, "a | tee f", "tee f"},
		{"whole with a pipe", Rule{Pattern: `^cat .*\| *grep `, Tool: "grep"}, "cat f | grep x", "cat f | grep x"},
		{"here-document is not a file", Rule{Pattern: "^cat ", Tool: "read"}, "cat <<E\na\nE", ""},
		{"reads a pipe", Rule{Pattern: "^awk ", Tool: "read"}, "a | awk 1", ""},
		{"reads a file in the first stage", Rule{Pattern: "^awk ", Tool: "read"}, "awk 1 f | a", "awk 1 f"},
		{"assignment", Rule{Pattern: "^PATH=", Tool: "write"}, "a; PATH=x", "PATH=x"},
		{"declaration", Rule{Pattern: "^export ", Tool: "write"}, "a; export X=1", "export X=1"},
		{"only redirect", Rule{Pattern: "^> ?f$", Tool: "write"}, "a; > f", "> f"},
		{"data is not a command", Rule{Pattern: "^rm ", Tool: "write"}, "echo 'rm a'", ""},
		{"lookahead", Rule{Pattern: `^git push(?!.*--dry-run)`, Tool: "write"}, "a; git push x", "git push x"},
		{"negative lookahead", Rule{Pattern: `^git push(?!.*--dry-run)`, Tool: "write"}, "a; git push --dry-run", ""},
		{"lookbehind", Rule{Pattern: `(?<=git )push`, Tool: "write"}, "git push", "git push"},
		{"back-reference", Rule{Pattern: `(\w+) \1`, Tool: "write"}, "a a", "a a"},
		{"named group", Rule{Pattern: `(?<verb>curl)\b`, Tool: "write"}, "curl x", "curl x"},
		{"flag i", Rule{Pattern: "^CURL", Flags: "i", Tool: "write"}, "curl x", "curl x"},
		{"no flag i", Rule{Pattern: "^CURL", Tool: "write"}, "curl x", ""},
		{"flag g has no state", Rule{Pattern: "curl", Flags: "g", Tool: "write"}, "curl x", "curl x"},
		{"does not parse", Rule{Pattern: "^rm", Tool: "write"}, "rm 'a", "rm 'a"},
		{"does not parse, not matched in part", Rule{Pattern: "^rm", Tool: "write"}, "a; rm 'a", ""},
		{"too long", Rule{Pattern: "^rm", Tool: "write"}, "a; rm b; " + strings.Repeat("c", 17<<10), ""},
		{"tool not available", Rule{Pattern: "curl", Tool: "fetch"}, "curl x", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			checker, invalid := New([]Rule{c.rule}, true)
			if len(invalid) > 0 {
				t.Fatal(invalid)
			}
			got := checker.Check(c.command, DefaultTools())
			if got.Blocked != (c.want != "") || got.Fragment != c.want {
				t.Errorf("got %v %q, want %q", got.Blocked, got.Fragment, c.want)
			}
		})
	}
}

func TestRuleOrder(t *testing.T) {
	user := []Rule{{Pattern: "(", Tool: "read"}, {Pattern: "^cat secret", Tool: "vault", Message: "Ask the vault."}}
	c, invalid := New(user, false)
	if diff := cmp.Diff([]InvalidRule{{0, "(", "unterminated group"}}, invalid); diff != "" {
		t.Error(diff)
	}
	for _, row := range []struct {
		command, id string
		rule        int
		tools       []string
	}{
		{"cat secret", "user:1", 1, []string{"read", "vault"}},
		{"cat secret", "read-file", 2, []string{"read"}},
		{"cat f", "read-file", 2, []string{"read", "vault"}},
		{"cat f", "", 0, []string{"vault"}},
	} {
		got := c.Check(row.command, row.tools)
		if got.RuleID != row.id || got.Rule != row.rule {
			t.Errorf("%s with %v: %s %d, want %s %d", row.command, row.tools, got.RuleID, got.Rule, row.id, row.rule)
		}
	}
	if c, _ := New(nil, true); c.Check("cat f", DefaultTools()).Blocked {
		t.Error("blocked without any rules")
	}
}

func TestInvalidRules(t *testing.T) {
	_, invalid := New([]Rule{
		{Pattern: "a", Tool: "read"}, {Pattern: "(", Tool: "read"}, {Pattern: "a", Flags: "z", Tool: "read"},
		{Pattern: "a"}, {Tool: "read"},
	}, false)
	want := []InvalidRule{
		{1, "(", "unterminated group"}, {2, "a", "unknown flag 'z'"}, {3, "a", "tool is empty"}, {4, "", "pattern is empty"},
	}
	if diff := cmp.Diff(want, invalid); diff != "" {
		t.Error(diff)
	}
}

// A pattern that times out is tried once per check, not once per simple command.
func TestSlowRule(t *testing.T) {
	c, _ := New([]Rule{{Pattern: `^(?=a)(a+)+$`, Tool: "read"}, {Pattern: "last$", Tool: "read"}}, true)
	slow := strings.Repeat("a", 60) + "b;"
	if got := c.Check(strings.Repeat(slow, 200)+" last", DefaultTools()); got.RuleID != "user:1" {
		t.Errorf("got %+v", got)
	}
}

func TestMessage(t *testing.T) {
	for _, reason := range []string{"Do not.", "Blocked: Do not."} {
		if got := Message(reason, "rm f"); got != "Blocked: Do not.\n\nOriginal command: rm f" {
			t.Errorf("%q", got)
		}
	}
	c, _ := New([]Rule{{Pattern: "x", Tool: "read"}}, true)
	if got := c.Check("x", DefaultTools()).Reason; got != "Use the read tool instead." {
		t.Errorf("%q", got)
	}
}
