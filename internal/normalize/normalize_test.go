package normalize

import (
	"strings"
	"testing"

	"pi/internal/testmain"
)

// one is a command that becomes another one with a limit.
type one struct {
	in, out string
	head    int
	tail    int
}

var rewritten = []one{
	{in: "seq 1 50 | head -n 5", out: "seq 1 50", head: 5},
	{in: "seq 1 50 | head -5", out: "seq 1 50", head: 5},
	{in: "seq 1 50 | head -n5", out: "seq 1 50", head: 5},
	{in: "seq 1 50 | tail -n 5", out: "seq 1 50", tail: 5},
	{in: "seq 1 50 | tail -5", out: "seq 1 50", tail: 5},
	{in: "seq 1 50 | tail -n5", out: "seq 1 50", tail: 5},
	{in: "seq 1 50 | tail -1", out: "seq 1 50", tail: 1},
	{in: "seq 1 50|head -3", out: "seq 1 50", head: 3},
	{in: "seq 1 50\t|\thead\t-3", out: "seq 1 50", head: 3},
	{in: "seq 1 50 |\n  head -3", out: "seq 1 50", head: 3},
	{in: "  \n seq 3 | head -2 \n\n", out: "seq 3", head: 2},
	{in: "seq 9 | head -4 | tail -n 2", out: "seq 9 | head -4", tail: 2},
	{in: "seq 9 | tail -4 | head -n 2", out: "seq 9 | tail -4", head: 2},
	{in: "seq 9 | head -c 4 | tail -1", out: "seq 9 | head -c 4", tail: 1},
	{in: "yes | head -5", out: "yes", head: 5},
	{in: "yes | head -n 100000 | tail -2", out: "yes | head -n 100000", tail: 2},
	{in: "seq 3 | head -n 100", out: "seq 3", head: 100},
	{in: "seq 3 | tail -n 1000000000", out: "seq 3", tail: 1000000000},
	{in: "printf 'a\\nb' | tail -1", out: "printf 'a\\nb'", tail: 1},
	{in: "printf 'a\\nb' | head -2", out: "printf 'a\\nb'", head: 2},
	{in: "printf '\\n\\n\\n' | tail -2", out: "printf '\\n\\n\\n'", tail: 2},
	{in: "true | tail -2", out: "true", tail: 2},
	{in: "false | head -1", out: "false", head: 1},
	{in: "ls nosuch 2>&1 | tail -20", out: "ls nosuch 2>&1", tail: 20},
	{in: "ls nosuch f | tail -20", out: "ls nosuch f", tail: 20},
	{in: "ls nosuch f 2>/dev/null | tail -20", out: "ls nosuch f 2>/dev/null", tail: 20},
	{in: "nosuchcommand | tail -3", out: "nosuchcommand", tail: 3},
	{in: "cat f g | tail -n 3", out: "cat f g", tail: 3},
	{in: "cat < f | tail -n 3", out: "cat < f", tail: 3},
	{in: "cat <<< 'a | b' | tail -n 3", out: "cat <<< 'a | b'", tail: 3},
	{in: "< f cat | head -1", out: "< f cat", head: 1},
	{in: "echo 'a | head -1' | tail -1", out: "echo 'a | head -1'", tail: 1},
	{in: "echo \"a | b\" | tail -1", out: "echo \"a | b\"", tail: 1},
	{in: "echo a\\|b | tail -1", out: "echo a\\|b", tail: 1},
	{in: "echo a\\  | tail -1", out: "echo a\\ ", tail: 1},
	{in: "echo 'x  y'   |   tail -1", out: "echo 'x  y'", tail: 1},
	{in: "(echo a; echo b; exit 3) | head -1", out: "(echo a; echo b; exit 3)", head: 1},
	{in: "{ echo a; echo b >&2; } | tail -1", out: "{ echo a; echo b >&2; }", tail: 1},
	{in: "{ seq 3; ls nosuch; } 2>&1 | tail -2", out: "{ seq 3; ls nosuch; } 2>&1", tail: 2},
	{in: "(cd / && pwd) | tail -1", out: "(cd / && pwd)", tail: 1},
	{in: "for i in 1 2 3; do echo $i; done | tail -2", out: "for i in 1 2 3; do echo $i; done", tail: 2},
	{in: "for ((i=0;i<5;i++)); do echo $i; done | head -2", out: "for ((i=0;i<5;i++)); do echo $i; done", head: 2},
	{in: "while read l; do echo \"<$l>\"; done < f | tail -2", out: "while read l; do echo \"<$l>\"; done < f", tail: 2},
	{in: "if true; then seq 5; fi | tail -2", out: "if true; then seq 5; fi", tail: 2},
	{in: "case a in a) seq 4 ;; esac | tail -2", out: "case a in a) seq 4 ;; esac", tail: 2},
	{in: "X=5 env | grep ^X= | tail -1", out: "X=5 env | grep ^X=", tail: 1},
	{in: "x=5 bash -c 'echo $x' | tail -1", out: "x=5 bash -c 'echo $x'", tail: 1},
	{in: "seq 20 | grep 1 | sort -r | head -n 3", out: "seq 20 | grep 1 | sort -r", head: 3},
	{in: "ls nosuch |& cat | tail -1", out: "ls nosuch |& cat", tail: 1},
	{in: "seq 5 | while read l; do echo $((l*2)); done | tail -2", out: "seq 5 | while read l; do echo $((l*2)); done", tail: 2},
	{in: "diff <(seq 3) <(seq 4) | tail -1", out: "diff <(seq 3) <(seq 4)", tail: 1},
	{in: "echo $(seq 3 | head -2) | tail -1", out: "echo $(seq 3 | head -2)", tail: 1},
	{in: "echo `seq 3` | tail -1", out: "echo `seq 3`", tail: 1},
	{in: "echo {a,b}c* | tail -1", out: "echo {a,b}c*", tail: 1},
	{in: "# note | head -1\nseq 9 | head -2", out: "# note | head -1\nseq 9", head: 2},
	{in: "seq 9 | head -2 # the first two", out: "seq 9", head: 2},
	{in: "seq 9 \\\n | head -2", out: "seq 9 \\\n", head: 2},
	{in: "seq 9 | # why\ntail -3 | head -2", out: "seq 9 | # why\ntail -3", head: 2},
	{in: "echo \u00e9\u4e2d | tail -1", out: "echo \u00e9\u4e2d", tail: 1},
	{in: "printf '\\0\\377x\\n' | tail -1", out: "printf '\\0\\377x\\n'", tail: 1},
	{in: "command -v cat | head -1", out: "command -v cat", head: 1},
	{in: "sh -c 'exit 3' | tail -1", out: "sh -c 'exit 3'", tail: 1},
	{in: "test -p /dev/stdout | tail -1", out: "test -p /dev/stdout", tail: 1},
	{in: "sh -c 'test -p /dev/stdout && echo pipe' | tail -1", out: "sh -c 'test -p /dev/stdout && echo pipe'", tail: 1},
	{in: "sh -c 'test -t 1 || echo none' | tail -1", out: "sh -c 'test -t 1 || echo none'", tail: 1},
	{in: "echo ${x:-a|b} | tail -1", out: "echo ${x:-a|b}", tail: 1},
	{in: "echo $? $# $- \"$0\" $_ | tail -1", out: "echo $? $# $- \"$0\" $_", tail: 1},
	{in: "echo \"[$!]\" $LINENO | tail -1", out: "echo \"[$!]\" $LINENO", tail: 1},
	{in: "{ seq 3; exit 4; } | tail -1", out: "{ seq 3; exit 4; }", tail: 1},
	{in: "{ set -e; echo a; false; echo b; } | tail -1", out: "{ set -e; echo a; false; echo b; }", tail: 1},
	{in: "echo ${x?unset} | tail -1", out: "echo ${x?unset}", tail: 1},
	{in: "(nosuch1; nosuch2) 2>&1 | tail -1", out: "(nosuch1; nosuch2) 2>&1", tail: 1},
	{in: "printf '%s\\n' \"a\nb\" | tail -1", out: "printf '%s\\n' \"a\nb\"", tail: 1},
}

// left are commands that only lose their outer white space.
var left = []string{
	"", "true", "seq 3", "seq 9 | cat", "head -2 f", "tail -n 2 f", "head -n 2 < f",
	"seq 9 | head", "seq 9 | tail", "seq 9 | head -n 0", "seq 9 | tail -n 0", "seq 9 | head -0",
	"seq 9 | head -n -2", "seq 9 | tail -n +5", "seq 9 | tail +5", "seq 9 | tail -n -5",
	"seq 9 | head -c 4", "seq 9 | head -c4", "seq 9 | tail -c 4", "seq 9 | head -n 2k", "seq 9 | head -2k",
	"seq 9 | head --lines=2", "seq 9 | head --lines 2", "seq 9 | head -q -n 2", "seq 9 | head -n 2 -q",
	"seq 9 | head -n2 f", "seq 9 | head -n 2 -", "seq 9 | head -2 f", "seq 9 | tail -2 f g",
	"seq 9 | head -n", "seq 9 | head -n ''", "seq 9 | head -n 99999999999999999999", "seq 9 | head -n 02",
	"seq 9 | head -n \"2\"", "seq 9 | 'head' -n 2", "seq 9 | \\head -n 2", "seq 9 | command head -n 2",
	"n=2; seq 9 | head -n $n", "seq 9 | head -$((1+1))", "seq 9 | head -n {1,2}",
	"seq 9 | /usr/bin/head -2", "seq 9 | LC_ALL=C head -2", "seq 9 | head -2 > out; cat out",
	"seq 9 | head -2 2>/dev/null", "seq 9 | head -2 < f", "seq 9 | head -2 >&2",
	"seq 9 | head -2 || echo no", "seq 9 | head -2 && echo yes", "seq 9 | head -2; echo x", "seq 9 | head -2;",
	"seq 9 | head -2 & wait", "seq 3; seq 9 | head -1", "seq 3 && seq 9 | head -1", "false || head -n 2 f",
	"seq 3\nseq 9 | head -1", "seq 9 | head -5 | cat", "seq 9 | head -2 | wc -l", "seq 5 | head -3; seq 9 | tail -1",
	"(seq 9 | head -2)", "{ seq 9 | head -2; }", "echo $(seq 9 | head -2)", "echo `seq 9 | head -2`",
	"cat <(seq 9 | head -2)", "if true; then seq 9 | head -2; fi", "f() { seq 9 | head -2; }; f", "f() { seq 9; } | head -2",
	"! seq 9 | head -2", "seq 9 |& head -2", "ls nosuch |& tail -1", "echo 'a | head -1'", "echo \"a | head -1\"",
	"echo a \\| head -1", "echo $'a | head -1'", "seq 4 # | head -1", "echo a#b | cat # | tail -1",
	"cat <<E\na | head -1\nE", "cat <<E | head -1\na\nb\nE", "cat <<E |\na\nb\nE\nhead -1", "cat <<'#x' |\n#x\nhead -1",
	"cat <<E\na\nb | head -1", "seq 9 | head -2 <<E\nx\nE", "echo 'open | head -1", "echo \"open | head -1", "seq 9 | head -2 )",
	"| head -1", "seq 9 | | head -1", "seq 9 | head -1 |", "seq 9 ||| head -1", "seq 9 | head -2 # a\necho b",
	"seq 9 | head \\\n-2", "seq 9 | he\\\nad -2", "x=3 | tail -1", "declare -p | tail -1", "set | tail -1",
	"echo $BASH_SUBSHELL | tail -1", "echo $(( BASHPID == $$ )) | tail -1", "sh -c 'kill -0 $$ && echo a' | tail -1",
	"echo \"$BASH_EXECUTION_STRING\" | tail -1", "echo ${PIPESTATUS[0]} | tail -1", "trap 'echo bye' EXIT | tail -1",
	"{ trap 'echo bye' EXIT; echo a; } | tail -1", "{ (sleep 0.4; echo late) & echo a; } | tail -1",
	"sh -c '(sleep 0.4; echo late) & echo a' | tail -1", "echo a > >(sleep 0.4; cat) | tail -1", "coproc cat | tail -1",
	"exec seq 3 | tail -1", "setsid seq 3 | tail -1", "seq 3 > out | tail -1", "echo a >&2 | tail -1", "seq 3 &> out | tail -1",
	"echo a\r\n| tail -1", "seq 3 | tail -1\recho", "echo !(x) | head -1", ". ./inc.sh | tail -1", "wait | tail -1",
	"seq 9 | head -2\u00a0", "a=(1 2) | tail -1", "export A=1 | tail -1", "[[ a == a ]] | tail -1", "((1)) | tail -1",
	"seq 3 3>&1 | tail -1", "seq 3 1>&2 | tail -1", "seq 3 {fd}>out | tail -1",
}

func TestCommandRewrites(t *testing.T) {
	bash := testmain.Tool(t, "bash")
	for _, c := range rewritten {
		t.Run(c.in, func(t *testing.T) {
			got := Command(c.in)
			want := Result{c.out, Limits{c.head, c.tail}, true}
			if got != want {
				t.Fatalf("got %+v, want %+v", got, want)
			}
			sameAsBash(t, bash, c.in, got)
		})
	}
}

func TestCommandLeavesAlone(t *testing.T) {
	for _, in := range left {
		t.Run(in, func(t *testing.T) {
			if got, want := Command(in), (Result{Command: in}); got != want {
				t.Fatalf("got %+v, want %+v", got, want)
			}
			if padded := Command(" \n\t" + in + "  \n"); padded.Rewritten {
				t.Errorf("with white space around: %+v", padded)
			}
		})
	}
}

// trims are texts whose outer white space goes only where it means nothing.
var trims = []struct{ name, in, out string }{
	{"blank", " \t\n ", ""},
	{"outer only", "  echo  a   b \n", "echo  a   b"},
	{"CRLF", "echo a\r\n", "echo a"},
	{"inner newline", "echo a\n\n\necho b\n\n", "echo a\n\n\necho b"},
	{"quoted blank", "printf '<%s>' a\\ \n", "printf '<%s>' a\\ "},
	{"two quoted blanks", "printf '<%s>' a\\  ", "printf '<%s>' a\\ "},
	{"quoted backslash", "printf '<%s>' a\\\\ ", "printf '<%s>' a\\\\"},
	{"continued at the end", "echo a \\\n", "echo a \\\n"},
	{"backslash in a comment", "echo a # \\ ", "echo a # \\ "},
	{"no-break space is a word", "echo a \u00a0", "echo a \u00a0"},
	{"vertical tab is a word", "echo a \v", "echo a \v"},
	{"here-document", "cat <<E\na\nE\n\n", "cat <<E\na\nE"},
	{"here-document and more", "cat <<E\na\nE\necho b  \n", "cat <<E\na\nE\necho b"},
	{"tabbed here-document", "cat <<-E\n\ta\n\tE\n", "cat <<-E\n\ta\n\tE"},
	{"two here-documents", "cat <<A <<B\na\nA\nb\nB\n\n", "cat <<A <<B\na\nA\nb\nB"},
	{"terminator with a blank", "cat <<'E '\na\nE ", "cat <<'E '\na\nE "},
	{"blank behind a terminator", "cat <<E\na\nE \n", "cat <<E\na\nE \n"},
	{"CR behind a terminator", "cat <<E\r\na\r\nE\r\n", "cat <<E\r\na\r\nE\r\n"},
	{"open here-document", "cat <<E\na\n\n\n", "cat <<E\na\n\n\n"},
	{"shift is no here-document", "echo $((1<<2)) \n", "echo $((1<<2))"},
	{"here-string", "cat <<< a \n", "cat <<< a"},
	{"open quote", "echo 'a  \n", "echo 'a"},
}

func TestCommandTrims(t *testing.T) {
	bash := testmain.Tool(t, "bash")
	for _, c := range trims {
		t.Run(c.name, func(t *testing.T) {
			got := Command(c.in)
			if got != (Result{Command: c.out}) {
				t.Fatalf("got %+v, want %q", got, c.out)
			}
			if strings.Contains(c.in, "\r") && !strings.Contains(c.in, "<<") || c.name == "open quote" {
				return // a CRLF line end is what we repair; the error names another line
			}
			sameAsBash(t, bash, c.in, got)
		})
	}
}

func TestCommandLongText(t *testing.T) {
	long := "echo " + strings.Repeat("a", 20<<10) + " | head -1"
	if got := Command(" " + long + " "); got != (Result{Command: long}) {
		t.Errorf("text above the parse limit was changed: %.40q %+v", got.Command, got.Limits)
	}
	long = "cat <<E\n" + strings.Repeat("a\n", 20<<10) + "E\n"
	if got := Command(long); got.Command != long {
		t.Error("a long here-document was trimmed unparsed")
	}
}
