package intercept

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// readsRedirect reports that standard input is redirected.
func readsRedirect(redirs []*syntax.Redirect) bool {
	for _, r := range redirs {
		switch r.Op {
		case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			if r.N == nil || r.N.Value == "0" {
				return true
			}
		}
	}
	return false
}

// write gives the file that a redirection writes standard output to, and how. No file: it writes
// elsewhere, duplicates a descriptor, names a device or another command's input.
func (w *walker) write(r *syntax.Redirect) (op, file string) {
	if r.N != nil && r.N.Value != "1" {
		return "", ""
	}
	switch r.Op {
	case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll:
		op = ">"
	case syntax.AppOut, syntax.AppAll:
		op = ">>"
	case syntax.DplOut:
		if w.duplicates(r) {
			return "", ""
		}
		op = ">" // `>& file` is the old way to write `&> file`
	default:
		return "", ""
	}
	file = w.value(r.Word)
	if isDevice(file) || strings.HasPrefix(file, ">(") {
		return "", ""
	}
	if file == "" {
		file = `""`
	}
	return op, file
}

// duplicates reports `>&2`, `>&-`, `>&2-`, and `>&$fd`, which nearly always is one.
func (w *walker) duplicates(r *syntax.Redirect) bool {
	target := w.value(r.Word)
	return r.N != nil || strings.HasPrefix(target, "$") || strings.Trim(target, "0123456789-") == ""
}

// isDevice reports a path that names a device, a descriptor or a bash network pseudo-file. What
// lies below /dev/shm are ordinary files.
func isDevice(file string) bool {
	if !strings.HasPrefix(file, "/") {
		return false
	}
	file = path.Clean(file)
	return strings.HasPrefix(file, "/dev/") && !strings.HasPrefix(file, "/dev/shm/")
}

// readsCommand reports a word with `<(…)`, another command's output under a file name.
func readsCommand(word *syntax.Word) bool {
	for _, p := range word.Parts {
		if s, ok := p.(*syntax.ProcSubst); ok && s.Op == syntax.CmdIn {
			return true
		}
	}
	return false
}
