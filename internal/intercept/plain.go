package intercept

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"pi/internal/shelltext"
)

// call describes a simple command. The plain form omits wrappers, that is, commands that only start another command.
func (w *walker) call(s *syntax.Stmt, call *syntax.CallExpr, stdin stdinSource) simpleCommand {
	c := simpleCommand{source: w.source(s), stdin: stdin}
	words := make([]string, 0, len(call.Args))
	for _, arg := range call.Args {
		words = append(words, w.value(arg))
		c.special = c.special || hasInputSubstitution(arg)
	}
	words = unwrap(words)
	if len(words) == 0 {
		return c
	}
	c.name = words[0]
	if path.IsAbs(c.name) {
		c.name = path.Base(c.name)
	}
	c.countOperands(words[1:])
	c.plain = w.plainForm(c.name, words[1:], s.Redirs)
	return c
}

// countOperands counts the operands and sets special if one is a device.
func (c *simpleCommand) countOperands(args []string) {
	for i, a := range args {
		switch {
		case a == "" || a[0] == '-':
		case i > 0 && strings.Trim(a, "+0123456789") == "" && takesNumber(args[i-1]):
		default:
			c.operands++
			c.special = c.special || isDevice(a)
		}
	}
}

// takesNumber reports whether an option of head, tail, grep or rg takes the next word as a number.
func takesNumber(option string) bool {
	switch option {
	case "-n", "-c", "-A", "-B", "-C", "-m", "--lines", "--bytes", "--max-count", "--context":
		return true
	}
	return false
}

// plainForm returns the plain form of a simple command, see [DefaultRules].
func (w *walker) plainForm(name string, args []string, redirs []*syntax.Redirect) string {
	var b strings.Builder
	b.WriteString(maskSeparators(name))
	for _, a := range args {
		b.WriteByte(' ')
		b.WriteString(maskSeparators(a))
	}
	for _, r := range redirs {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			b.WriteString(" <<")
		}
	}
	for _, r := range redirs {
		if op, file := w.outputFile(r); file != "" {
			b.WriteString(" " + op + " " + maskSeparators(file))
		}
	}
	return b.String()
}

// maskSeparators replaces blanks and operators in a word by underscores, since they separate words in a plain form.
func maskSeparators(word string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || strings.ContainsRune("<>|&;", r) {
			return '_'
		}
		return r
	}, word)
}

// value returns a word after quote removal, with expansions as written.
func (w *walker) value(word *syntax.Word) string {
	var b strings.Builder
	for _, part := range word.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(shelltext.Unescape(p.Value, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				if lit, ok := inner.(*syntax.Lit); ok {
					b.WriteString(shelltext.Unescape(lit.Value, shelltext.DoubleQuoted))
				} else {
					b.WriteString(w.slice(inner.Pos(), inner.End()))
				}
			}
		default:
			b.WriteString(w.slice(p.Pos(), p.End()))
		}
	}
	return b.String()
}
