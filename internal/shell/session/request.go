package session

import (
	"fmt"
	"strconv"
	"strings"

	"pi/internal/shell"
	"pi/internal/shelltext"
)

// A request is one run for the driver: a script that sets variables and returns the last status.
type request struct {
	seq     int
	output  string // path, as a word of shell text; empty: the shell keeps its present one
	open    bool   // the shell has it open already
	text    string // to evaluate
	dir     string // to run in; empty: the shell's own
	env     []string
	plain   bool   // the text cannot turn tracing or a trap on
	exports bool   // the report must contain the exported variables
	last    report // of the run before
}

// script returns r as text of the dialect. The shell parses it in every run, with the aliases of that moment: therefore it has no
// keyword, and every command word is quoted.
func (r request) script(d *shell.SessionDialect) string {
	do := quotedBuiltin(d)
	cd := do + d.Cd + " "
	// Only where `eval` undoes its redirections late enough they can redirect the command. The other shells redirect themselves
	// with exec, which lets the driver silence traps and traces.
	around := d.EvalRedirects && !r.plain && r.output != ""
	opens := r.output != "" && !around && !r.open
	where := "</dev/null >|" + r.output + " 2>&1"
	var b, undo strings.Builder
	for _, flag := range d.AssignFlags {
		if r.last.has(flag) { // what is assigned now must not be exported, and `export A=b` must be what it looks like
			b.WriteString(do + "set +" + string(flag) + "\n")
		}
	}
	if r.last.has('a') {
		b.WriteString(do + "unset " + driverVariables + "\n")
	}
	if r.plain {
		b.WriteString("_pi_n=2 _pi_j=\n")
	} else {
		b.WriteString("_pi_n=- _pi_j= _pi_p= _pi_g=\n")
	}
	if r.exports {
		b.WriteString("_pi_g=1\n")
	}
	text := r.text
	if r.last.status != 0 && blank(text) {
		text = fmt.Sprintf("( %sexit %d )", do, r.last.status) // eval of nothing succeeds, but nothing changes no status
	}
	if on := r.turnOn(do); on != "" {
		fmt.Fprintf(&b, "_pi_k=%s\n", shelltext.QuoteAlways(r.last.traps))
		text = on + text
	}
	for i, kv := range r.env {
		name, value, _ := strings.Cut(kv, "=")
		fmt.Fprintf(&b, "_pi_e%[1]d=${%[2]s-} _pi_h%[1]d=${%[2]s+x}\n%[3]sexport %[2]s=%[4]s\n", i, name, do, shelltext.QuoteAlways(value))
		if r.last.exported(name) {
			fmt.Fprintf(&undo, "%[1]s=$_pi_e%[2]d\n%[3]sexport %[1]s\n", name, i, do)
			continue
		}
		fmt.Fprintf(&undo, "%[3]sunset %[1]s\n%[3]seval \"${_pi_h%[2]d:+%[1]s=\\$_pi_e%[2]d}\"\n", name, i, do)
	}
	if r.dir != "" {
		fmt.Fprintf(&b, "_pi_b=${PWD-} _pi_w=${OLDPWD-}\n%s%s || _pi_j=%d\n_pi_d=$PWD\n", cd, shelltext.QuoteAlways(r.dir), noDir)
		fmt.Fprintf(&undo, "%stest \"$PWD\" = \"$_pi_d\" && %s\"$_pi_b\" && OLDPWD=$_pi_w\n", do, cd)
	}
	if undo.Len() > 0 {
		fmt.Fprintf(&b, "_pi_p=%s\n", shelltext.QuoteAlways(undo.String()))
	}
	switch {
	case around && r.open:
		b.WriteString(do + "exec >/dev/null 2>&1\n")
	case opens:
		fmt.Fprintf(&b, "%sexec %s || _pi_j=%d\n", do, where, unread)
	}
	if around {
		b.WriteString("_pi_v=" + shelltext.QuoteAlways(text) + "\n")
		text = do + `eval "$_pi_v" ` + where
	}
	// The number and the text come last: if reading ends before, nothing runs.
	fmt.Fprintf(&b, "_pi_q=%d _pi_u=%s\n", r.seq, shelltext.QuoteAlways(text))
	if opens || r.dir != "" {
		b.WriteString(do + `test -z "$_pi_j" || _pi_q=$_pi_j _pi_u=` + "\n")
	}
	for _, flag := range d.AssignFlags {
		if r.last.has(flag) {
			b.WriteString(do + "set -" + string(flag) + "\n")
		}
	}
	b.WriteString(do + "return " + strconv.Itoa(r.last.status) + "\n")
	return b.String()
}

// quotedBuiltin is the word that calls builtins, protected from aliases, with a blank.
func quotedBuiltin(d *shell.SessionDialect) string { return `\` + d.Builtin + " " }

// turnOn returns what turns on again, silently and with the last status, what the driver turned off. It goes before the text, on
// its first line. It is nearly always empty.
func (r request) turnOn(do string) string {
	var on string
	if r.last.traps != "" {
		on = do + `eval "$_pi_k"; `
	}
	for _, flag := range "xv" {
		if r.last.has(flag) {
			on += do + "set -" + string(flag) + "; "
		}
	}
	if on == "" {
		return ""
	}
	if r.last.status != 0 {
		on += fmt.Sprintf("( %sexit %d ); ", do, r.last.status)
	}
	return "{ " + on + "} >/dev/null 2>&1; "
}

// blank reports whether a text is only white space and comments.
func blank(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}
