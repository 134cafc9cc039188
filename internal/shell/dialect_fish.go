package shell

import (
	"path/filepath"
	"slices"

	"pi/internal/environ"
	"pi/internal/shelltext"
)

// fish is only used if shell.path names it: agents write POSIX text, whatever the user's login shell is.
var fish = Dialect{
	Name:            "fish",
	Language:        Fish,
	flags:           []string{"--no-config", "-c"}, // the word after -c is the text, even if it begins with a dash
	readText:        `cat | read -z _pi_text; eval $_pi_text <&3`,
	versionVariable: "version",
	withSnapshot:    fishWithSnapshot,
	Session: SessionDialect{
		EvalRedirects: true,
		OwnMessages:   true,
		AlwaysExports: true,
		// Electric and read-only variables, see `man fish-language`.
		Reserved: "CMD_DURATION FISH_VERSION PWD SHLVL _ argv fish_kill_signal fish_killring fish_pid history hostname pipestatus status " +
			"status_generation umask version",
	},
	Snapshot: &SnapshotDialect{
		RCFiles:    fishRCFiles,
		CoreNames:  fishCoreNames,
		HookPrefix: "fish_",
		Variables:  " USER ", // it sets this one by itself
		DumpFlags:  []string{"-i", "-c"},
		DumpStart:  "builtin eval ",
		DumpBody:   fishDumpBody,
		CheckFlags: []string{"--no-config", "--no-execute"},
		Function:   func(_, text string) string { return text + "\n" },
	},
}

// fishWithSnapshot sources the script before the command text.
func fishWithSnapshot(args, env []string, script string) ([]string, []string) {
	return slices.Insert(slices.Clone(args), 1, "--init-command", "builtin source "+shelltext.QuoteFish(script)), env
}

// fishRCFiles lists config.fish and conf.d as the user's, and what they usually depend on: autoloaded functions, and
// universal variables, where fish_add_path keeps the search path.
func fishRCFiles(home string, env []string) (own, others []string) {
	dir := filepath.Join(home, ".config", "fish")
	if d := environ.Get(env, "XDG_CONFIG_HOME"); filepath.IsAbs(d) {
		dir = filepath.Join(d, "fish")
	}
	confs, _ := filepath.Glob(filepath.Join(dir, "conf.d", "*.fish"))
	functions, _ := filepath.Glob(filepath.Join(dir, "functions", "*.fish"))
	own = append([]string{filepath.Join(dir, "config.fish")}, confs...)
	return own, append(functions, filepath.Join(dir, "fish_variables"), "/etc/fish/config.fish")
}

// fishCoreNames are builtins, keywords and shipped functions that other shells do not have.
const fishCoreNames = ` _ abbr and argparse begin block commandline contains count dirh edit_command_buffer emit end fish funced funcsave functions
 isatty math nextd not or path prevd random set_color status string switch vared `

// fishDumpBody prints the functions that fish does not ship, and abbreviations as functions: fish expands those at a prompt
// only, where a person sees what becomes of them. `builtin` skips functions of the same names. In double quotes a list is joined as it is for children.
const fishDumpBody = `
begin
	builtin printf '\0B%s\0' {MARK}
	for __pi_n in (builtin set --names --export)
		builtin printf 'E\0%s\0%s\0' $__pi_n "$$__pi_n"
	end
	for __pi_n in (builtin functions --all --names)
		builtin set -l __pi_f (builtin functions --details -- $__pi_n)
		builtin string match -q -- "$__fish_data_dir/*" "$__pi_f"; and continue
		builtin printf 'F\0%s\0%s\0%s\0' $__pi_n "$__pi_f" (builtin functions -- $__pi_n | builtin string collect)
	end
	for __pi_n in (builtin abbr --show)
		builtin set -l __pi_f (builtin string match -r '^abbr -a (?:-[Ug] )?-- (\S+) (.*)$' -- $__pi_n); or continue
		builtin set -l __pi_v (builtin string unescape -- $__pi_f[3]); or continue
		builtin functions --query -- $__pi_f[2]; and continue
		builtin printf 'F\0%s\0\0function %s\n\t%s $argv\nend\0' (builtin string unescape -- $__pi_f[2]) $__pi_f[2] $__pi_v
	end
	builtin printf '\0Z%s\0' {MARK}
end >{CHANNEL}
command kill -KILL $fish_pid
`
