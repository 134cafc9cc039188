package shell

import (
	"path/filepath"
	"strings"

	"pi/internal/environ"
)

var bash = Dialect{
	Name:            "bash",
	fromEnv:         true,
	flags:           []string{"--norc", "-c", "--"}, // under ssh it would read ~/.bashrc even for -c
	readText:        posixReadText,
	versionVariable: "BASH_VERSION",
	withSnapshot:    bashWithSnapshot,
	Session: SessionDialect{
		Builtin:    "command",
		Cd:         "cd --",
		Eval:       `DO eval -- "$_pi_u"`,
		Repair:     `POSIXLY_CORRECT=y; unset -f command; command unset POSIXLY_CORRECT`, // in POSIX mode, functions do not hide special builtins
		SaveTraps:  `DO trap -p DEBUG RETURN ERR; DO trap - DEBUG RETURN ERR; `,
		ExportAll:  "DO export -p",
		Silence:    posixSilence,
		EndlessFor: true,
		// -a exports what is assigned; -k takes an assignment from the command that it is an argument of.
		AssignFlags: "ak",
	},
	Snapshot: &SnapshotDialect{
		RCFiles: func(home string, _ []string) (own, others []string) {
			return []string{filepath.Join(home, ".bashrc")},
				[]string{filepath.Join(home, ".bash_aliases"), "/etc/bash.bashrc", "/etc/bashrc"} // distributions differ
		},
		DumpFlags:     []string{"-i", "-c"},
		DumpStart:     bashDumpStart,
		DumpBody:      bashDumpBody,
		CheckFlags:    []string{"--norc", "-O", "extglob", "-n"},
		Prologue:      "unset BASH_ENV\nshopt -s extglob\n",
		Function:      bashFunction,
		BeforeAliases: "shopt -s expand_aliases\nshopt -u extglob\n",
		SetOptions:    "shopt -s",
		Epilogue:      `: "$0"` + "\n",
	},
}

// bashWithSnapshot names the script in BASH_ENV, which bash reads before a command text and expands as if it stood between
// double quotes. The script's first command removes the variable. $0, the parameters, the line numbers and the messages stay as
// they are without a snapshot. A caller who set that variable keeps it, and has no snapshot.
func bashWithSnapshot(args, env []string, script string) ([]string, []string) {
	if _, own := environ.Lookup(env, "BASH_ENV"); own {
		return args, env
	}
	value := strings.NewReplacer(`\`, `\\`, "$", `\$`, "`", "\\`", `"`, `\"`).Replace(script)
	return args, append(env[:len(env):len(env)], "BASH_ENV="+value)
}

// bashFunction writes what `declare -f` printed. Without `function` an odd name is taken for an assignment, an option or a
// pattern.
func bashFunction(name, text string) string {
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:") != "" {
		text = "function " + text
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// bashDumpStart makes sure of the builtins, whatever the rc files defined: in POSIX mode the special builtins set, trap and
// unset come before functions of their name, and a backslash prevents aliases. What follows is parsed when it is run, with
// aliases off.
const bashDumpStart = `POSIXLY_CORRECT=1
\set +euxvC
\trap - DEBUG ERR RETURN EXIT
\unset -f builtin shopt eval printf declare alias compgen kill set trap unset command
\unset POSIXLY_CORRECT
\builtin shopt -u expand_aliases
\builtin eval `

// bashDumpBody prints everything with builtins, and all functions at once, because a loop over thousands of them takes too
// long. `declare -F` prints a function's file under extdebug. The kill skips history, traps and logout files.
const bashDumpBody = `
set -f
IFS=$'\n'
{
	printf '\0B%s\0' {MARK}
	for __pi_n in extglob globstar dotglob nullglob nocaseglob nocasematch; do
		if shopt -q "$__pi_n"; then printf 'O\0%s\0' "$__pi_n"; fi
	done
	printf 'L\0'; alias -p; printf '\0'
	for __pi_n in $(compgen -e); do
		printf 'E\0%s\0%s\0' "$__pi_n" "${!__pi_n}"
	done
	__pi_n=($(declare -F))
	__pi_n=("${__pi_n[@]#declare -* }")
	printf 'G\0%s\0' "${__pi_n[*]}"; declare -f
	shopt -s extdebug
	printf '\0'; declare -F -- "${__pi_n[@]}"
	printf '\0'
	printf '\0Z%s\0' {MARK}
} >{CHANNEL}
kill -KILL $$
`
