package intercept

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirectsStdin reports whether redirections include one of standard input.
func redirectsStdin(redirs []*syntax.Redirect) bool {
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

// outputFile returns the operator, > or >>, and the file of a redirection of standard output to a file. Both are empty
// for other redirections and for devices, duplicated descriptors and process substitutions.
func (w *walker) outputFile(r *syntax.Redirect) (op, file string) {
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
		op = ">" // `>& file` is an old form of `&> file`
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

// duplicates reports whether a redirection duplicates or closes a descriptor: `>&2`, `>&-`, `>&2-`. `>&$fd` counts,
// since it almost always does.
func (w *walker) duplicates(r *syntax.Redirect) bool {
	target := w.value(r.Word)
	return r.N != nil || strings.HasPrefix(target, "$") || strings.Trim(target, "0123456789-") == ""
}

// isDevice reports whether a path names a device, a descriptor or a network pseudo-file of bash. Files below /dev/shm are
// regular files.
func isDevice(file string) bool {
	if !strings.HasPrefix(file, "/") {
		return false
	}
	file = path.Clean(file)
	return strings.HasPrefix(file, "/dev/") && !strings.HasPrefix(file, "/dev/shm/")
}

// hasInputSubstitution reports whether a word contains a process substitution `<(…)`.
func hasInputSubstitution(word *syntax.Word) bool {
	for _, p := range word.Parts {
		if s, ok := p.(*syntax.ProcSubst); ok && s.Op == syntax.CmdIn {
			return true
		}
	}
	return false
}
