package shelltext

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// CapBreaks lowers the N of `break N` and `continue N` to the number of loops of the text that enclose them. A shell counts only
// the loops that there are, but a loop in which the whole text is evaluated counts as well. Nothing changes in functions and
// subshells, and where N is not a plain number.
func CapBreaks(text string) string {
	if !strings.Contains(text, "break") && !strings.Contains(text, "continue") {
		return text
	}
	file, ok := Parse(text)
	if !ok {
		return text
	}
	var b strings.Builder
	done := 0
	var around []syntax.Node
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		if name := call.Args[0].Lit(); name != "break" && name != "continue" {
			return true
		}
		arg := call.Args[1]
		count, err := strconv.Atoi(arg.Lit())
		if loops := loopsOf(around); err == nil && loops > 0 && count > loops {
			b.WriteString(text[done:arg.Pos().Offset()] + strconv.Itoa(loops))
			done = int(arg.End().Offset())
		}
		return true
	})
	return b.String() + text[done:]
}

// loopsOf counts the loops among the enclosing nodes; 0 if there may be a loop that is not among them.
func loopsOf(around []syntax.Node) (n int) {
	for _, x := range around {
		switch x.(type) {
		case *syntax.ForClause, *syntax.WhileClause:
			n++
		case *syntax.FuncDecl, *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			return 0
		}
	}
	return n
}
