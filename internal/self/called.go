package self

import (
	"path/filepath"
	"strings"
)

// called is what the user calls the program.
var called = "pi"

// Name returns the name that the user calls this program by: pi, unless it was installed under another one. Messages that
// name a call ("pi session stop web") use it.
func Name() string { return called }

// SetName takes the name from the first word of the command line, os.Args[0]. It must be called before anything else
// runs; what does not look like the name of a program is ignored.
func SetName(argv0 string) {
	name := filepath.Base(argv0)
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".exe") {
		name = strings.TrimSuffix(name, ext)
	}
	odd := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.+", r))
	}
	if name != "" && !strings.HasPrefix(name, "-") && !strings.HasPrefix(name, ".") && strings.IndexFunc(name, odd) < 0 {
		called = name
	}
}
