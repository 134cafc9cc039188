package shell

// posix is any shell that pi has no dialect for.
var posix = Dialect{
	Name:     "sh",
	flags:    []string{"-c", "--"},
	readText: posixReadText,
	Session: SessionDialect{
		Builtin:     "command",
		Cd:          "cd --",
		Eval:        `DO eval "$_pi_u"`,
		Repair:      `unset -f command`,
		ExportAll:   "DO export -p",
		Silence:     posixSilence,
		AssignFlags: "a",
	},
}

const (
	// posixReadText: `eval` keeps $0, the line numbers and the exit status as `-c` has them. Its words are expanded before
	// its redirections take effect, so the order is safe.
	posixReadText = `eval "$(cat)" <&3 3<&-`

	// posixSilence closes standard error, unless the text was too plain for that.
	posixSilence = `2>&"${_pi_n:--}"`
)
