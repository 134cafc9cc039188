package intercept

import (
	"mvdan.cc/sh/v3/syntax"

	"pi/internal/shelltext"
)

// feed tells where a command's standard input comes from.
type feed uint8

const (
	fromOutside feed = iota // what pi itself passes on: nothing, as a rule
	inherited               // from a group, loop or substitution around it that is fed
	direct                  // from its own pipe, here-document, here-string or "<"
)

// simple is one simple command of a command text.
type simple struct {
	source   string // as it was written, redirections included, without a here-document's body
	plain    string // see DefaultRules; empty without a command word
	name     string // the plain form's first word
	operands int    // words behind the name that are no options
	special  bool   // reads a device or another command's output by name
	feed     feed
}

// readsFiles reports that a reader looks into files it names rather than at its standard input.
// Where a pipe feeds only the group or loop around it, it must name at least as many operands.
func (c *simple) readsFiles(operands int) bool {
	return c.feed == fromOutside && !c.special || c.feed == inherited && !c.special && c.operands >= operands
}

// commands takes a text apart into the simple commands that it would run, in the order in which
// they are written. A text that does not parse is one command, see unparsed.
func commands(text string) []simple {
	file, ok := shelltext.Parse(text)
	if !ok {
		return []simple{unparsed(text)}
	}
	w := walker{text: text, fed: map[*syntax.Stmt]bool{}, stack: []feed{fromOutside}}
	syntax.Walk(file, w.visit)
	return w.found
}

// walker finds simple commands wherever a command can stand.
type walker struct {
	text  string
	fed   map[*syntax.Stmt]bool // statements that read a pipe, noted before they are visited
	stack []feed                // what the nodes being visited hand down
	found []simple
}

// visit is called with each node before, and with nil after its children.
func (w *walker) visit(n syntax.Node) bool {
	if n == nil {
		w.stack = w.stack[:len(w.stack)-1]
		return true
	}
	down := w.stack[len(w.stack)-1]
	switch n := n.(type) {
	case *syntax.Stmt:
		down = w.statement(n, down)
	case *syntax.ProcSubst:
		if n.Op != syntax.CmdIn {
			w.feedAll(n.Stmts) // >(…)
		}
	case *syntax.FuncDecl:
		down = fromOutside // whoever calls it decides
	}
	w.stack = append(w.stack, down)
	return true
}

func (w *walker) feedAll(stmts []*syntax.Stmt) {
	for _, s := range stmts {
		w.fed[s] = true
	}
}

// statement notes a simple command and gives what the statement hands down to its parts.
func (w *walker) statement(s *syntax.Stmt, from feed) feed {
	if w.fed[s] || readsRedirect(s.Redirs) {
		from = direct
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		w.found = append(w.found, w.call(s, cmd, from))
	case *syntax.DeclClause, nil:
		w.found = append(w.found, simple{source: w.source(s), feed: from})
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll {
			w.fed[cmd.X] = from == direct
			w.fed[cmd.Y] = true
		}
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			w.fed[cmd.Stmt] = from == direct
		}
	case *syntax.CoprocClause:
		w.fed[cmd.Stmt] = true
	}
	if from == direct {
		return inherited
	}
	return from
}

// source cuts out a simple command with its redirections. A here-document's body is no part of
// it, nor is what ends the statement.
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

// slice cuts the text between two positions.
func (w *walker) slice(start, end syntax.Pos) string {
	hi := min(int(end.Offset()), len(w.text))
	return w.text[min(int(start.Offset()), hi):hi]
}
