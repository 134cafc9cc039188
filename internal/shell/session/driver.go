package session

import (
	"strings"

	"pi/internal/shell"
)

// driverText is what a session's shell is started with. It waits for a request, evaluates it, reports, and waits again. What user
// code can do to a shell decides how it is written:
//
//   - Requests, outputs and reports are opened by path in every run, so no descriptor of the shell matters.
//   - It is one compound command on one line: the shell parses it before any user code runs, so no alias affects it, and user
//     code counts its lines from 1.
//   - Its commands are called through `command` (`builtin` in zsh), so functions of their names do not matter. That word itself
//     is tested after every run, and a function of that name is removed if the test fails.
//   - Reading the request returns the status that the last run left, so `$?` is carried over. The then- and the else-branch are
//     the same because `if` is the one place where a failure is neither lost nor fatal (`set -e`).
//   - eval is in a loop of one round, which is all that a stray `break` leaves.
//   - _pi_i is 1 only after a whole round, so `set -n` and whatever else prevents execution ends the shell instead of making it
//     spin. So does a report that cannot be sent (`set -r`, `ulimit -n`).
//   - What follows user code is in a group without standard error (closed, unless the text is too plain for that), until tracing
//     and traps are off: `set -x` and `trap … DEBUG` show user code only, and a trap for ERR does not see eval fail. The request
//     turns them on again.
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

// driver returns the text for a dialect. The paths are words of shell text; the shell looks for requests under each in turn.
func driver(d *shell.SessionDialect, requests []string, report string) string {
	loop, done := `for ((;_pi_i;)); do`, "done;"
	if !d.EndlessFor {
		// A shell with `set -n` takes the last status for that of every condition, and whatever the loop is, there is a status
		// with which it does not end. Loops over lists do: these go round 8¹⁰ times, unless nothing is executed.
		rounds := strings.Repeat("for _pi_r in 1 2 3 4 5 6 7 8; do ", 10)
		loop = rounds + `case ${_pi_i-} in 1) ;; *) DO exit "${_pi_s-}";; esac;`
		done = strings.Repeat("done; ", 10)
	}
	text := strings.NewReplacer("EVAL", d.Eval, "REPAIR", d.Repair, "TRAPS", d.SaveTraps, "LOOP", loop, "DONE", done,
		"EXPORT", d.ExportAll, "SILENT", d.Silence).Replace(driverText)
	return strings.NewReplacer("DO", d.Builtin, "REQUESTS", strings.Join(requests, " "), "REPORT", report).Replace(text)
}

// driverVariables are the driver's own.
const driverVariables = "_pi_i _pi_r _pi_s _pi_q _pi_u _pi_p _pi_g _pi_x _pi_f _pi_k _pi_n _pi_v _pi_d _pi_b _pi_w _pi_j"
