package shell

import "strings"

// looks tells whether a command text may change exported variables (touches), and whether it may teach the shell
// functions or aliases that do so later (teaches). Telling them takes a shell longer than everything else in a short
// run, so it is asked only when there is reason to. The answer may be wrong for a text that hides what it does, such
// as `e\xport`; all that is lost then is the variable's value in the shell that follows a dropped one, unless a later
// run is asked.
func looks(text string) (touches, teaches bool) {
	if strings.ContainsRune(text, '=') {
		touches = true
	}
	for i := strings.IndexByte(text, '('); i >= 0; {
		touches = true // ((…)) may assign, f() defines a function
		if rest := strings.TrimLeft(text[i+1:], " \t"); strings.HasPrefix(rest, ")") {
			teaches = true
		}
		next := strings.IndexByte(text[i+1:], '(')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n;&|<>(){}\"'`$\\!", r) }) {
		switch word {
		case "export", "declare", "typeset", "local", "readonly", "read", "readarray", "mapfile", "getopts", "printf", "unset",
			"set", "let", "for", "select", "integer", "float", "setopt", "shopt", "vared", "zparseopts", "wait":
			touches = true
		case "eval", "source", ".", "function", "alias", "autoload", "trap", "emulate", "fc", "zmodload", "enable", "disable":
			touches, teaches = true, true
		}
	}
	return touches, teaches
}

// environExports writes an environment as exports are written.
func environExports(env []string) string {
	var b strings.Builder
	for _, kv := range env {
		b.WriteString("export " + kv + "\n")
	}
	return b.String()
}
