package normalize

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// separable reports that text is one pipeline, that its last "|" stands at offset pipe and joins
// a plain call, and that what stands before it does the same when that call is gone.
func separable(text string, file *syntax.File, pipe int) bool {
	// The parser reads CRLF as LF, the shell takes the CR for a character of a word.
	if len(file.Stmts) != 1 || !plain(file.Stmts[0]) || strings.Contains(text, "\r") {
		return false
	}
	cmd, ok := file.Stmts[0].Cmd.(*syntax.BinaryCmd)
	if !ok || cmd.Op != syntax.Pipe || int(cmd.OpPos.Offset()) != pipe || !literalCall(cmd.Y) {
		return false
	}
	return producer(cmd.X) && !observes(text[:pipe]) && !lingers(text, cmd.X)
}

// plain reports a statement with no "!", "&", ";" or the like, and no redirections.
func plain(s *syntax.Stmt) bool {
	return !s.Negated && !s.Background && !s.Coprocess && !s.Disown &&
		!s.Semicolon.IsValid() && len(s.Redirs) == 0
}

// literalCall reports a simple command without assignments made of unquoted literal words.
// Which words they are was read from the text already.
func literalCall(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || !plain(s) || len(call.Assigns) > 0 {
		return false
	}
	for _, w := range call.Args {
		if w.Lit() == "" {
			return false
		}
	}
	return true
}

// producer reports that the stages before the last one may run without it. Only the stage that
// writes into the removed pipe is looked at for redirections: zsh sends the output of
// `echo a >f | head -1` to both places, and after any redirection of standard output there is
// nothing left to limit.
func producer(s *syntax.Stmt) bool {
	last := s
	for {
		cmd, ok := last.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		if !plain(last) || (cmd.Op != syntax.Pipe && cmd.Op != syntax.PipeAll) || !stageKind(cmd.X) {
			return false
		}
		last = cmd.Y
	}
	for _, r := range last.Redirs {
		if !keepsStdout(r) {
			return false
		}
	}
	return stageKind(last)
}

// stageKind reports a stage whose meaning does not depend on being one: no definitions or
// assignments, which would outlive it in a session, and no timing of a whole pipeline.
func stageKind(s *syntax.Stmt) bool {
	if s.Negated || s.Background || s.Coprocess || s.Disown || s.Semicolon.IsValid() {
		return false
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		return len(cmd.Args) > 0
	case *syntax.BinaryCmd:
		return (cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll) && stageKind(cmd.X) && stageKind(cmd.Y)
	case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause:
		return true
	}
	return false
}

// keepsStdout reports a redirection that leaves standard output where it was.
func keepsStdout(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrIn, syntax.WordHdoc:
		return r.N == nil || r.N.Value == "0"
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.DplOut:
		return r.N != nil && r.N.Value == "2"
	}
	return false
}

// observes reports that text names something through which a command sees whether it runs in a
// pipeline's subshell or what the whole command line is. The search does not care for quotes or
// word borders: a hit too many only leaves the work to the shell.
func observes(text string) bool {
	for _, name := range []string{
		"$$", "BASHPID", "BASH_SUBSHELL", "ZSH_SUBSHELL", "sysparams", "PPID", "SHLVL",
		"PIPESTATUS", "pipestatus", "BASH_COMMAND", "BASH_EXECUTION_STRING", "ZSH_EXECUTION_STRING",
		"lastpipe", "/proc/self", "/proc/$",
	} {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// lingers reports that a tree holds something whose output may come after the shell's end, or
// that acts on the shell itself. In the original such output still reaches head or tail, because
// they read to the end of the pipe; without them nobody waits for it.
func lingers(text string, s *syntax.Stmt) bool {
	found := false
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			found = found || n.Background || n.Coprocess || n.Disown
		case *syntax.CoprocClause:
			found = true
		case *syntax.ProcSubst:
			found = found || n.Op != syntax.CmdIn // >(…) is not waited for
		case *syntax.Redirect:
			// A here-document's body may stand between or behind the stages.
			found = found || n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc
		case *syntax.ExtGlob:
			found = true // off in a plain `bash -c`: a syntax error that quotes the line
		case *syntax.DeclClause:
			found = found || lists(n)
		case *syntax.CallExpr:
			found = found || shellBusiness(n) || innerJobs(text, n)
		}
		return !found
	})
	return found
}

// lists reports `declare -p` and the like: they print every variable, the command line included.
func lists(d *syntax.DeclClause) bool {
	for _, a := range d.Args {
		if !a.Naked || a.Name != nil {
			return false
		}
	}
	return true
}

// shellBusiness reports a call of a builtin that acts on or looks at the shell process itself, or
// of a program that leaves the shell's process group or outlives it.
func shellBusiness(c *syntax.CallExpr) bool {
	if len(c.Args) == 0 {
		return false
	}
	switch name := c.Args[0].Lit(); strings.TrimPrefix(name, `\`) {
	case "set", "typeset", "compgen":
		return len(c.Args) == 1 || name == "compgen"
	case "trap", "exec", "jobs", "fg", "bg", "wait", "disown", "suspend", "times", "setsid", "daemonize",
		"eval", "source", ".":
		return true
	}
	return false
}

// innerJobs reports a call that hands another shell a text with a lone "&", as in
// `sh -c '(sleep 1; echo late) &'`.
func innerJobs(text string, c *syntax.CallExpr) bool {
	if !loneAmpersand(text[c.Pos().Offset():c.End().Offset()]) {
		return false
	}
	for _, w := range c.Args {
		switch name := w.Lit(); name[strings.LastIndexByte(name, '/')+1:] {
		case "sh", "bash", "dash", "ksh", "zsh", "su", "ssh":
			return true
		}
	}
	return false
}

// loneAmpersand reports an "&" that is no part of "&&", ">&", "&>", "<&" or "|&".
func loneAmpersand(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '&' {
			continue
		}
		before := i > 0 && strings.IndexByte("&><|", text[i-1]) >= 0
		after := i+1 < len(text) && strings.IndexByte("&>", text[i+1]) >= 0
		if !before && !after {
			return true
		}
	}
	return false
}
