package session

import (
	"fmt"
	"strings"

	"pi/internal/ps"
	"pi/internal/shelltext"
)

// fish is the language of the fish shell. It protects its driver better than POSIX shells do: keywords and builtins cannot be
// redefined, and `eval` contains every error and undoes its redirections. But a fish cannot redirect itself, so its own messages,
// such as those on unknown commands, come through a pipe of their own (see [shellProcess.messages]). What a command prints at the
// same moment may therefore come before them.
type fish struct{}

// fishDriver is the counterpart of [driverText]. `source` takes a pipe as its standard input only. The eval is in a loop of one round, which is all that a stray `break` leaves. A
// driver that cannot read a request reports the number of no run; one that cannot report exits. Electric variables, which fish
// sets by itself, are not restored, nor are the driver's own.
const fishDriver = `while true; for _pi_r in REQUESTS; ` +
	`builtin set -g _pi_q 0; builtin set -g _pi_u; builtin set -g _pi_p; builtin set -g _pi_o /dev/null; builtin source - <$_pi_r; ` +
	`for _pi_x in 1; builtin eval $_pi_u </dev/null >$_pi_o 2>&1; end; builtin set -g _pi_s $status; ` +
	`builtin eval $_pi_p </dev/null >/dev/null 2>&1; ` +
	`begin; builtin printf '\0%s %s \0%s\0' "$_pi_q" "$_pi_s" "$PWD"; for _pi_n in (builtin set -nx); ` +
	`builtin string match -qr '^(_pi_.*|_|PWD|SHLVL)$' -- $_pi_n; or builtin echo set -gx $_pi_n (builtin string escape -- $$_pi_n); end; ` +
	`builtin printf '\0'; end >REPORT; or exit $_pi_s; end; end`

func (fish) driver(requests []string, report string) string {
	return strings.NewReplacer("REQUESTS", strings.Join(requests, " "), "REPORT", report).Replace(fishDriver)
}

// request sets the run's number last: if reading ends before, nothing runs.
func (l fish) request(r request) string {
	var b, undo strings.Builder
	text := r.text
	if r.last.status != 0 && blank(text) { // eval of nothing succeeds, but nothing changes no status
		text = fmt.Sprintf("function _pi_return; return %d; end; _pi_return", r.last.status)
	}
	fmt.Fprintf(&b, "builtin set -g _pi_o %s\nbuiltin set -g _pi_j\n", r.output)
	for i, kv := range r.env {
		name, value, _ := strings.Cut(kv, "=")
		fmt.Fprintf(&b, "builtin set -g _pi_h%[1]d\nbuiltin set -g _pi_e%[1]d $%[2]s\nbuiltin set -qg %[2]s; and builtin set -g _pi_h%[1]d --unexport\n"+
			"builtin set -qgx %[2]s; and builtin set -g _pi_h%[1]d --export\nbuiltin set -gx %[2]s %[3]s\n", i, name, l.quote(value))
		fmt.Fprintf(&undo, "if builtin test -n \"$_pi_h%[1]d\"; builtin set -g $_pi_h%[1]d %[2]s $_pi_e%[1]d; else; builtin set -eg %[2]s; end\n", i, name)
	}
	if r.dir != "" {
		fmt.Fprintf(&b, "builtin set -g _pi_b $PWD\nbuiltin cd -- %s; or builtin set -g _pi_j %d\nbuiltin set -g _pi_d $PWD\n", l.quote(r.dir), noDir)
		undo.WriteString("builtin test \"$PWD\" = \"$_pi_d\"; and builtin cd -- $_pi_b\n")
	}
	fmt.Fprintf(&b, "builtin set -g _pi_p %s\nbuiltin set -g _pi_u %s\nbuiltin set -g _pi_q %d\n", l.quote(undo.String()), l.quote(text), r.seq)
	b.WriteString("if builtin test -n \"$_pi_j\"; builtin set -g _pi_q $_pi_j; builtin set -g _pi_u; end\n")
	fmt.Fprintf(&b, "return %d\n", r.last.status)
	return b.String()
}

func (l fish) setup(script, exports, dir string) (texts []string) {
	if script != "" {
		texts = append(texts, "builtin source "+l.quote(script))
	}
	if exports != "" {
		// The marker of the process tree is new, and must not be restored.
		texts = append(texts, "builtin set -l _pi_m $"+ps.MarkerName+"\n"+exports+"builtin set -gx "+ps.MarkerName+" $_pi_m")
	}
	if texts != nil {
		texts = append(texts, "builtin cd -- "+l.quote(dir))
	}
	return texts
}

func (fish) quote(text string) string { return shelltext.QuoteFish(text) }
