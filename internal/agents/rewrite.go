package agents

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"pi/internal/shelltext"
)

// maxRewritten limits a rewritten command, in bytes: longer text may not fit into one argument.
const maxRewritten = 100 << 10

// Rewrite returns shell text that passes command, unchanged, as an argument to the command line prefix. ok is false if
// that could have another effect: command may change the state of the shell, which runs later commands too; it cannot be
// parsed; it is too long; or it starts pi already.
func Rewrite(command, prefix string) (string, bool) {
	if strings.TrimSpace(command) == "-" { // means standard input to pi run
		return "", false
	}
	file, ok := shelltext.Parse(command)
	if !ok || len(file.Stmts) == 0 || affectsShell(file) || callsPi(file) {
		return "", false
	}
	text := prefix + " " + shelltext.Quote(command)
	return text, len(text) <= maxRewritten
}

// changesShell reports whether the command of that name can change the shell's working directory, or run text that does.
// An empty name is unknown.
func changesShell(name string) bool {
	switch name {
	case "", "cd", "chdir", "pushd", "popd", "source", ".", "eval", "exec", "command", "builtin", "alias":
		return true
	case "trap", "mapfile", "readarray", "fc": // they run text passed to them
		return true
	case "-", "noglob", "nocorrect": // zsh's precommand modifiers
		return true
	}
	return false
}

// commandName returns the command name that a shell gets from a word, without quotes. It is empty if it depends on an
// expansion: a variable, a pattern or braces.
func commandName(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		if !appendPart(&b, p) {
			return ""
		}
	}
	return b.String()
}

// appendPart appends the value of a part of a word. It returns false if that depends on an expansion.
func appendPart(b *strings.Builder, p syntax.WordPart) bool {
	switch p := p.(type) {
	case *syntax.Lit:
		b.WriteString(shelltext.Unescape(p.Value, ""))
		return !expands(p.Value)
	case *syntax.SglQuoted:
		b.WriteString(p.Value)
		return !p.Dollar
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			l, ok := inner.(*syntax.Lit)
			if !ok {
				return false
			}
			b.WriteString(shelltext.Unescape(l.Value, shelltext.DoubleQuoted))
		}
		return true
	}
	return false
}

// expands reports whether an unquoted literal is a pattern or has braces. zsh expands =cd to the path of cd.
func expands(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if strings.IndexByte("*?[{=", text[i]) >= 0 {
			return text != "["
		}
	}
	return false
}

// affectsShell reports whether text may change the working directory of the shell itself. Subshells and stages of a
// pipeline have their own, except for the last stage in zsh.
func affectsShell(text syntax.Node) (found bool) {
	syntax.Walk(text, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.FuncDecl:
			// A function's body counts: the text may call it.
			_, function := n.(*syntax.FuncDecl)
			return function && !found
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				found = found || affectsShell(n.Y)
				return false
			}
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				found = found || changesShell(commandName(n.Args[0]))
			}
		}
		return !found
	})
	return found
}

// callsPi reports whether the first command of a text is pi itself.
func callsPi(file *syntax.File) bool {
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) > 0 && isPi(commandName(call.Args[0]))
}
