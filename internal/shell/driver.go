package shell

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The driver is the text that a session's shell is started with. It waits for a request, evaluates it, reports, and
// waits again. What user code can do to a shell decides how it is written:
//
//   - Requests, outputs and reports are opened by path in every run, so no descriptor of the shell matters.
//   - It is one compound command on one line: the shell parses it before any user code runs, hence no alias reaches
//     into it, and user code counts its lines from 1.
//   - Its commands are called through `command` (`builtin` in zsh), so functions named like them do not matter. That
//     word itself is tried out after every run, and a function of that name is removed when it does not do its work.
//   - Reading the request gives the status that the last run left, so `$?` is carried over; then- and else-branch are
//     alike because `if` is the one place where a failure is neither lost nor fatal (`set -e`).
//   - eval stands in a loop of one round, which is all that a stray `break` leaves.
//   - _pi_i is 1 only if a whole round was gone through, so `set -n` and whatever else keeps commands from being
//     executed ends the shell instead of making it spin. So does a report that cannot be sent (`set -r`, `ulimit -n`).
//   - What follows user code is in a group without standard error (closed, unless the text is too plain for that), until tracing and traps are off: `set -x` and
//     `trap … DEBUG` show user code only, and a trap for ERR does not see eval fail. The request turns them on again.
const driverText = `_pi_i=1 _pi_n=-; LOOP for _pi_r in REQUESTS; do _pi_i=0 _pi_s=0 _pi_q=0 _pi_u=; ` +
	`for _pi_x in 1; do if DO . "$_pi_r"; then EVAL; else EVAL; fi; done; ` +
	`{ _pi_s=$?; case $_pi_n in 2) DO printf '\0%s %s %s\0%s\0\0' "$_pi_q" "$_pi_s" "$-" "${PWD-}";; *) ` +
	`_pi_f=$- _pi_x=; DO eval _pi_x=1; case $_pi_x in 1) ;; *) REPAIR;; esac; DO set +xv; ` +
	`case $_pi_p in ?*) if DO eval "$_pi_p" >/dev/null; then _pi_p=; fi;; esac; TRAPS` +
	`DO printf '\0%s %s %s\0%s\0' "$_pi_q" "$_pi_s" "$_pi_f" "${PWD-}"; ` +
	`case $_pi_g in ?*) EXPORT;; esac; DO printf '\0';; esac; ` +
	`_pi_i=1; } SILENT >|REPORT; ` +
	`case $_pi_i in 1) ;; *) DO exit "$_pi_s";; esac; ` +
	`done; DONE DO exit "$_pi_s"`

// driver gives the text for a family of shells. The paths are words of shell text; the shell looks for requests
// under each by turns.
func driver(k Kind, requests []string, report string) string {
	do, loop, done, eval, export := "command", `for ((;_pi_i;)); do`, "done;", `DO eval "$_pi_u"`, "DO export -p"
	silent := `2>&"${_pi_n:--}"`
	var repair, traps string
	switch k {
	case Bash: // in POSIX mode, which an assignment turns on, functions do not hide special built-ins
		eval = `DO eval -- "$_pi_u"`
		repair = `POSIXLY_CORRECT=y; unset -f command; command unset POSIXLY_CORRECT`
		traps = `DO trap -p DEBUG RETURN ERR; DO trap - DEBUG RETURN ERR; `
	case Zsh: // an error ends all that is being evaluated, up to an always-block that forgives it
		do, eval = "builtin", `{ `+eval+`; } always { TRY_BLOCK_ERROR=0; }`
		// What a shell prints under RC_QUOTES is not read back by one without.
		export = `if [[ -o rcquotes ]]; then DO unsetopt rcquotes; DO export -p; DO setopt rcquotes; else DO export -p; fi`
		repair = `functions[builtin]='"$@"'`
		silent = `2>/dev/null` // zsh does not trace again once it found standard error closed
	default:
		repair = `unset -f command`
		// A shell with `set -n` takes the last status for that of every condition, and whichever the loop is, there is
		// one with which it does not end. Loops over lists do: these go round 8¹⁰ times, unless nothing is executed.
		rounds := strings.Repeat("for _pi_r in 1 2 3 4 5 6 7 8; do ", 10)
		loop = rounds + `case ${_pi_i-} in 1) ;; *) DO exit "${_pi_s-}";; esac;`
		done = strings.Repeat("done; ", 10)
	}
	text := strings.NewReplacer("EVAL", eval, "REPAIR", repair, "TRAPS", traps, "LOOP", loop, "DONE", done, "EXPORT", export, "SILENT", silent).Replace(driverText)
	return strings.NewReplacer("DO", do, "REQUESTS", strings.Join(requests, " "), "REPORT", report).Replace(text)
}

// variables are the driver's own.
const variables = "_pi_i _pi_r _pi_s _pi_q _pi_u _pi_p _pi_g _pi_x _pi_f _pi_k _pi_n _pi_v _pi_d _pi_b _pi_w _pi_j"

// A request is one run as the driver reads it: a script that sets variables and returns the last status.
type request struct {
	seq     int
	output  string // path; empty: it stays where it is
	open    bool   // the shell has it open already
	text    string // to be evaluated
	dir     string // to run in; empty: where the shell is
	env     []string
	plain   bool   // the text cannot turn tracing or a trap on
	exports bool   // the report is to give the exported variables
	last    report // of the run before
}

// script writes r for a family of shells. It is parsed anew in every run, with the aliases of that moment: therefore
// it has no keyword, and every command word is quoted.
func (r request) script(k Kind) string {
	do, cd := `\command `, `\command cd -- `
	if k == Zsh {
		do, cd = `\builtin `, `\builtin cd -q -- `
	}
	// zsh undoes redirections only after a trap for EXIT has run. Others may not, hence their exec; but only they let the
	// driver silence traps and traces, so zsh itself must not write where its command does.
	around := k == Zsh && !r.plain && r.output != ""
	opens := r.output != "" && !around && !r.open
	where := "</dev/null >|" + r.output + " 2>&1"
	var b, undo strings.Builder
	for _, flag := range assigning(k) {
		if r.last.has(flag) { // what is assigned now must not be exported, and `export A=b` must be what it looks like
			b.WriteString(do + "set +" + string(flag) + "\n")
		}
	}
	if r.last.has('a') {
		b.WriteString(do + "unset " + variables + "\n")
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
		fmt.Fprintf(&b, "_pi_k=%s\n", quote(r.last.traps))
		text = on + text
	}
	for i, kv := range r.env {
		name, value, _ := strings.Cut(kv, "=")
		fmt.Fprintf(&b, "_pi_e%[1]d=${%[2]s-} _pi_h%[1]d=${%[2]s+x}\n%[3]sexport %[2]s=%[4]s\n", i, name, do, quote(value))
		if r.last.exported(name) {
			fmt.Fprintf(&undo, "%[1]s=$_pi_e%[2]d\n%[3]sexport %[1]s\n", name, i, do)
			continue
		}
		fmt.Fprintf(&undo, "%[3]sunset %[1]s\n%[3]seval \"${_pi_h%[2]d:+%[1]s=\\$_pi_e%[2]d}\"\n", name, i, do)
	}
	if r.dir != "" {
		fmt.Fprintf(&b, "_pi_b=${PWD-} _pi_w=${OLDPWD-}\n%s%s || _pi_j=%d\n_pi_d=$PWD\n", cd, quote(r.dir), noDir)
		fmt.Fprintf(&undo, "%stest \"$PWD\" = \"$_pi_d\" && %s\"$_pi_b\" && OLDPWD=$_pi_w\n", do, cd)
	}
	if undo.Len() > 0 {
		fmt.Fprintf(&b, "_pi_p=%s\n", quote(undo.String()))
	}
	switch {
	case around && r.open:
		b.WriteString(do + "exec >/dev/null 2>&1\n")
	case opens:
		fmt.Fprintf(&b, "%sexec %s || _pi_j=%d\n", do, where, unread)
	}
	if around {
		b.WriteString("_pi_v=" + quote(text) + "\n")
		text = do + `eval "$_pi_v" ` + where
	}
	// Only who has read all of this has a number and a text: what ends a shell's reading before lets nothing run.
	fmt.Fprintf(&b, "_pi_q=%d _pi_u=%s\n", r.seq, quote(text))
	if opens || r.dir != "" {
		b.WriteString(do + `test -z "$_pi_j" || _pi_q=$_pi_j _pi_u=` + "\n")
	}
	for _, flag := range assigning(k) {
		if r.last.has(flag) {
			b.WriteString(do + "set -" + string(flag) + "\n")
		}
	}
	b.WriteString(do + "return " + strconv.Itoa(r.last.status) + "\n")
	return b.String()
}

// assigning are the flags of $- that change what an assignment does: -a exports it, and bash's -k takes it from the
// command that it is an argument of.
func assigning(k Kind) string {
	if k == Bash {
		return "ak"
	}
	return "a"
}

// turnOn turns on what the driver turned off, silently and with the last status: it is put before the text, on its
// first line. Empty, as nearly always: nothing was turned off.
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

// blank tells whether a text is nothing but white space and comments.
func blank(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// quote makes a word of s that every shell reads back as s. Single quotes are the safest, but bash takes time with the
// square of their number.
func quote(s string) string {
	if strings.Count(s, "'") < manyQuotes {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s) + `"`
}

const manyQuotes = 1000

// Sequence numbers with a meaning of their own.
const (
	unread = 0  // the request could not be read, so nothing was run
	noDir  = -1 // its directory could not be entered, so nothing was run
	wiped  = -2 // the command took the driver's variables away
)

// A report is what the driver says after a run.
type report struct {
	traps   string // for DEBUG, RETURN and ERR, as commands of that shell
	seq     int    // of the request
	status  int
	flags   string // the shell's $-
	pwd     string // the shell's $PWD
	exports string // the exported variables, as commands of that shell; empty: not asked for
}

func (r report) has(flag rune) bool { return strings.ContainsRune(r.flags, flag) }

// exported tells whether a variable was exported.
func (r report) exported(name string) bool {
	for n := range declarations(r.exports) {
		if n == name {
			return true
		}
	}
	return false
}

// takeReport cuts the first whole report off data; ok is false while there is none.
func takeReport(data []byte) (r report, rest []byte, ok bool, err error) {
	traps, rest, ok0 := bytes.Cut(data, []byte{0})
	head, rest, ok1 := bytes.Cut(rest, []byte{0})
	pwd, rest, ok2 := bytes.Cut(rest, []byte{0})
	exports, rest, ok3 := bytes.Cut(rest, []byte{0})
	if !ok0 || !ok1 || !ok2 || !ok3 {
		return report{}, data, false, nil
	}
	f := strings.SplitN(string(head), " ", 3)
	if len(f) != 3 {
		return report{}, rest, false, errors.New("unreadable report")
	}
	r = report{traps: trapsIn(string(traps)), flags: f[2], pwd: string(pwd), exports: string(exports)}
	if r.seq, err = strconv.Atoi(f[0]); err != nil {
		r.seq = wiped
	}
	if r.status, err = strconv.Atoi(f[1]); err != nil {
		return report{}, rest, false, errors.New("unreadable report")
	}
	return r, rest, true, nil
}

// trapsIn finds what `trap -p` printed among what a trap for DEBUG, or a user's function, printed around it.
func trapsIn(text string) string {
	from := strings.Index("\n"+text, "\ntrap -- '")
	to := -1
	for _, end := range []string{"' DEBUG\n", "' RETURN\n", "' ERR\n"} {
		if i := strings.LastIndex(text, end); i >= 0 {
			to = max(to, i+len(end))
		}
	}
	if from < 0 || to < from {
		return ""
	}
	return text[from:to]
}
