package session

import (
	"iter"
	"strings"
)

// effects reports whether a command text may change exported variables (assigns), and whether it may define functions or aliases
// that do so later (defines). Printing the exports takes a shell longer than everything else in a short run, so the driver does it
// only if there is a reason. The answer may be wrong for a text that hides what it does, such as `e\xport`. All that is lost then
// is the variable's value in the shell that replaces a dropped one, unless a later run reports it.
func effects(text string, known map[string]bool) (assigns, defines bool) {
	if strings.ContainsRune(text, '=') {
		assigns = true
	}
	for i := strings.IndexByte(text, '('); i >= 0; {
		assigns = true // ((…)) may assign, f() defines a function
		if rest := strings.TrimLeft(text[i+1:], " \t"); strings.HasPrefix(rest, ")") {
			defines = true
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
			assigns = true
		case "eval", "source", ".", "function", "alias", "autoload", "trap", "emulate", "fc", "zmodload", "enable", "disable":
			assigns, defines = true, true
		}
	}
	return assigns, defines
}

// betweenWords reports whether effects takes r for a character that no command name has.
func betweenWords(r rune) bool { return strings.ContainsRune(" \t\r\n;&|<>(){}\"'`$\\!", r) }

// environExports returns an environment in the form of exports.
func environExports(env []string) string {
	var b strings.Builder
	for _, kv := range env {
		b.WriteString("export " + kv + "\n")
	}
	return b.String()
}

// declarations iterates over what `export -p` printed: the name of every variable, and the text that exports it.
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

// declaration returns the length of the first one, up to the first line feed outside of quotes. All shells quote with the same
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

// restorable removes from exports what a shell does not import, such as IFS, and the driver's own variables: under `set -a`
// everything is exported.
func restorable(exports string) string {
	var b strings.Builder
	for name, text := range declarations(exports) {
		if name != "IFS" && !strings.HasPrefix(name, "_pi_") {
			b.WriteString(text)
		}
	}
	return b.String()
}
