package intercept

import (
	"mvdan.cc/sh/v3/syntax"

	"pi/internal/shelltext"
)

// stdinSource is where a command's standard input comes from.
type stdinSource uint8

const (
	stdinOfPi    stdinSource = iota // pi's own standard input, usually empty
	stdinOfOuter                    // a pipe or redirection of an enclosing group, loop or substitution
	stdinOwn                        // the command's own pipe, here-document, here-string or "<"
)

// simpleCommand is one simple command of a text.
type simpleCommand struct {
	source   string // as written, with redirections, without the body of a here-document
	plain    string // the plain form, see [DefaultRules]; empty without a command word
	name     string // first word of the plain form
	operands int    // words after the name that are not options
	special  bool   // an operand is a device or a process substitution
	stdin    stdinSource
}

// readsFiles reports whether a command such as cat reads files, not standard input. Within a group or loop that reads a
// pipe or redirection it must have that many operands.
func (c *simpleCommand) readsFiles(operands int) bool {
	return c.stdin == stdinOfPi && !c.special || c.stdin == stdinOfOuter && !c.special && c.operands >= operands
}

// simpleCommands returns the simple commands of a text in the order of the text. A text that does not parse is one
// command, see [describeUnparsed].
func simpleCommands(text string) []simpleCommand {
	file, ok := shelltext.Parse(text)
	if !ok {
		return []simpleCommand{describeUnparsed(text)}
	}
	w := walker{text: text, piped: map[*syntax.Stmt]bool{}, stack: []stdinSource{stdinOfPi}}
	syntax.Walk(file, w.visit)
	return w.found
}

// walker collects the simple commands of a syntax tree.
type walker struct {
	text  string
	piped map[*syntax.Stmt]bool // statements whose standard input is a pipe, set before they are visited
	stack []stdinSource         // for each node being visited: the standard input of its children
	found []simpleCommand
}

// visit is called with each node before its children, and with nil after them.
func (w *walker) visit(n syntax.Node) bool {
	if n == nil {
		w.stack = w.stack[:len(w.stack)-1]
		return true
	}
	stdin := w.stack[len(w.stack)-1]
	switch n := n.(type) {
	case *syntax.Stmt:
		stdin = w.statement(n, stdin)
	case *syntax.ProcSubst:
		if n.Op != syntax.CmdIn {
			w.markPiped(n.Stmts) // >(…)
		}
	case *syntax.FuncDecl:
		stdin = stdinOfPi // depends on the caller
	}
	w.stack = append(w.stack, stdin)
	return true
}

// markPiped marks statements whose standard input is a pipe.
func (w *walker) markPiped(stmts []*syntax.Stmt) {
	for _, s := range stmts {
		w.piped[s] = true
	}
}

// statement records a simple command. It returns the standard input of the statement's parts.
func (w *walker) statement(s *syntax.Stmt, stdin stdinSource) stdinSource {
	if w.piped[s] || redirectsStdin(s.Redirs) {
		stdin = stdinOwn
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		w.found = append(w.found, w.call(s, cmd, stdin))
	case *syntax.DeclClause, nil:
		w.found = append(w.found, simpleCommand{source: w.source(s), stdin: stdin})
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll {
			w.piped[cmd.X] = stdin == stdinOwn
			w.piped[cmd.Y] = true
		}
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			w.piped[cmd.Stmt] = stdin == stdinOwn
		}
	case *syntax.CoprocClause:
		w.piped[cmd.Stmt] = true
	}
	if stdin == stdinOwn {
		return stdinOfOuter
	}
	return stdin
}

// source returns the text of a simple command with its redirections, without the body of a here-document and the
// terminator of the statement.
func (w *walker) source(s *syntax.Stmt) string {
	start, end := s.Position, s.Position
	if s.Cmd != nil {
		start, end = s.Cmd.Pos(), s.Cmd.End()
	}
	for i, r := range s.Redirs {
		if s.Cmd == nil && i == 0 || start.After(r.Pos()) {
			start = r.Pos()
		}
		if r.Word.End().After(end) {
			end = r.Word.End()
		}
	}
	return w.slice(start, end)
}

// slice returns the text between two positions.
func (w *walker) slice(start, end syntax.Pos) string {
	hi := min(int(end.Offset()), len(w.text))
	return w.text[min(int(start.Offset()), hi):hi]
}
