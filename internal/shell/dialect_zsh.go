package shell

import (
	"path/filepath"
	"slices"

	"pi/internal/environ"
	"pi/internal/shelltext"
)

var zsh = Dialect{
	Name:            "zsh",
	fromEnv:         true,
	flags:           []string{"-f", "-c", "--"}, // without -f it always reads ~/.zshenv
	readText:        posixReadText,
	versionVariable: "ZSH_VERSION",
	withSnapshot:    zshWithSnapshot,
	RCVariables:     []string{"ZDOTDIR"},
	Session: SessionDialect{
		Builtin: "builtin",
		Cd:      "cd -q --",
		// An error ends everything that is being evaluated, up to an always-block that resets it.
		Eval:   `{ DO eval "$_pi_u"; } always { TRY_BLOCK_ERROR=0; }`,
		Repair: `functions[builtin]='"$@"'`,
		// What a shell prints under RC_QUOTES cannot be read back by one without.
		ExportAll:     `if [[ -o rcquotes ]]; then DO unsetopt rcquotes; DO export -p; DO setopt rcquotes; else DO export -p; fi`,
		Silence:       `2>/dev/null`, // it never traces again once it has found standard error closed
		AssignFlags:   "a",
		EndlessFor:    true,
		EvalRedirects: true,
		Reserved:      zshReserved,
	},
	Snapshot: &SnapshotDialect{
		RCFiles:    zshRCFiles,
		ScriptFile: ".zshenv", // the name that zsh reads in $ZDOTDIR
		DumpFlags:  []string{"-i", "-c"},
		DumpStart:  zshDumpStart,
		DumpBody:   zshDumpBody,
		CheckFlags: []string{"-f", "-n"},
		Prologue:   "unset ZDOTDIR\nsetopt norcs\n",
		Function:   func(name, text string) string { return shelltext.QuoteAlways(name) + " () {\n" + text + "\n}\n" },
		SetOptions: "setopt",
		Epilogue:   ": ''\n",
	},
}

// zshReserved are the parameters of zsh 5, including those of modules that it loads by itself, that no string can be assigned
// to (zshparam(1), zshmodules(1)).
const zshReserved = "ARGC HISTCMD LINENO PPID TTYIDLE ZSH_EVAL_CONTEXT ZSH_SUBSHELL aliases argv builtins cdpath commands dirstack " +
	"dis_aliases dis_builtins dis_functions dis_functions_source dis_galiases dis_patchars dis_reswords dis_saliases fignore " +
	"fpath funcfiletrace funcsourcetrace funcstack functions functions_source functrace galiases history historywords " +
	"jobdirs jobstates jobtexts mailpath manpath module_path modules nameddirs options parameters patchars path pipestatus " +
	"psvar reswords saliases signals status userdirs usergroups zsh_eval_context"

// zshWithSnapshot makes the script the .zshenv of the shell; for that the -f has to go. The script's first commands undo both.
// A caller who set ZDOTDIR keeps it, and has no snapshot.
func zshWithSnapshot(args, env []string, script string) ([]string, []string) {
	if _, own := environ.Lookup(env, "ZDOTDIR"); own {
		return args, env
	}
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "-f" })
	return args, append(slices.Clip(env), "ZDOTDIR="+filepath.Dir(script))
}

// zshRCFiles follows zsh(1); distributions compile in other names for the system's files.
func zshRCFiles(home string, env []string) (own, others []string) {
	own = []string{filepath.Join(home, ".zshrc"), filepath.Join(home, ".zshenv")}
	if d := environ.Get(env, "ZDOTDIR"); filepath.IsAbs(d) {
		own = append([]string{filepath.Join(d, ".zshrc"), filepath.Join(d, ".zshenv")}, own...)
	}
	return own, []string{"/etc/zshenv", "/etc/zshrc", "/etc/zsh/zshenv", "/etc/zsh/zshrc"}
}

const zshDumpStart = `\builtin setopt noaliases noerrexit noxtrace noverbose unset
\builtin unfunction builtin emulate print printf typeset kill setopt eval 2>/dev/null
\builtin eval `

// zshDumpBody reads the tables of zsh/parameter in pairs, so that no name is taken for a subscript.
const zshDumpBody = `
typeset -A __pi_o
__pi_o=("${(@kv)options[@]}")
emulate -R zsh
setopt noaliases
unfunction -m 'TRAP*' 2>/dev/null
{
	printf '\0B%s\0' {MARK}
	for __pi_n in extendedglob globdots nullglob nomatch globstarshort numericglobsort caseglob casematch kshglob shwordsplit \
		ksharrays rcexpandparam magicequalsubst equals; do
		if [[ ${__pi_o[$__pi_n]} != ${options[$__pi_n]} ]]; then
			if [[ ${__pi_o[$__pi_n]} = on ]]; then print -rN -- O $__pi_n; else print -rN -- O no$__pi_n; fi
		fi
	done
	for __pi_n __pi_v in "${(@kv)aliases}"; do print -rN -- A "$__pi_n" "$__pi_v"; done
	for __pi_n in "${(@)fpath}"; do print -rN -- P "$__pi_n"; done
	for __pi_n __pi_v in "${(@kv)parameters}"; do
		if [[ $__pi_v = *export* ]]; then print -rN -- E "$__pi_n" "${(P)__pi_n}"; fi
	done
	for __pi_n __pi_v in "${(@kv)functions}"; do print -rN -- F "$__pi_n" "${functions_source[$__pi_n]}" "$__pi_v"; done
	printf '\0Z%s\0' {MARK}
} >{CHANNEL}
kill -KILL $$
`
