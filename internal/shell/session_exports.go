package shell

import (
	"iter"
	"strings"
)

// looks tells whether a command text may change exported variables (touches), and whether it may teach the shell
// functions or aliases that do so later (teaches). Telling them takes a shell longer than everything else in a short
// run, so it is asked only when there is reason to. The answer may be wrong for a text that hides what it does, such
// as `e\xport`; all that is lost then is the variable's value in the shell that follows a dropped one, unless a later
// run is asked.
func looks(text string, known map[string]bool) (touches, teaches bool) {
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
	for word := range strings.FieldsFuncSeq(text, betweenWords) {
		if known[word] {
			return true, true
		}
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

// betweenWords are the characters that no name of a command has, as far as looks can tell.
func betweenWords(r rune) bool { return strings.ContainsRune(" \t\r\n;&|<>(){}\"'`$\\!", r) }

// environExports writes an environment as exports are written.
func environExports(env []string) string {
	var b strings.Builder
	for _, kv := range env {
		b.WriteString("export " + kv + "\n")
	}
	return b.String()
}

// declarations goes through what `export -p` printed: the name of every variable, and the text that exports it.
func declarations(exports string) iter.Seq2[string, string] {
	return func(yield func(name, text string) bool) {
		for exports != "" {
			text := exports[:declaration(exports)]
			exports = exports[len(text):]
			head, _, _ := strings.Cut(text, "=")
			words := strings.Fields(head)
			if len(words) > 1 && !yield(words[len(words)-1], text) {
				return
			}
		}
	}
}

// declaration is the length of the first one, up to the line feed that no quote holds. All shells quote with the same
// characters, each in its own way.
func declaration(text string) int {
	var quote byte
	ansi := false // $'…', in which a backslash counts
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && (quote != '\'' || ansi):
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote, ansi = c, c == '\'' && i > 0 && text[i-1] == '$'
		case c == '\n':
			return i + 1
		}
	}
	return len(text)
}

// restorable leaves out of exports what a shell does not take from outside, as IFS, and what is the driver's own: under
// `set -a` everything is exported.
func restorable(exports string) string {
	var b strings.Builder
	for name, text := range declarations(exports) {
		if name != "IFS" && !strings.HasPrefix(name, "_pi_") {
			b.WriteString(text)
		}
	}
	return b.String()
}
