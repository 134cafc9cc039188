package intercept

import (
	"errors"
	"strings"
	"sync"

	"pi/internal/intercept/jsregexp"
)

// rule is a Rule at work.
type rule struct {
	Rule
	id      string
	skipped bool
	names   string // default rules: the command names it can match, with a blank around each
	compile func() (*jsregexp.Regexp, error)
}

// prepare compiles a user's rule, so that its faults are known at once.
func (r *rule) prepare() error {
	re, err := r.check()
	r.skipped = err != nil
	r.compile = func() (*jsregexp.Regexp, error) { return re, err }
	return err
}

func (r *rule) check() (*jsregexp.Regexp, error) {
	switch {
	case r.Pattern == "":
		return nil, errors.New("pattern is empty")
	case r.Tool == "":
		return nil, errors.New("tool is missing")
	}
	return jsregexp.Compile(r.Pattern, r.Flags)
}

// later makes a default rule compile when it is first needed: five of six never are.
func (r rule) later() rule {
	r.compile = sync.OnceValues(func() (*jsregexp.Regexp, error) { return jsregexp.Compile(r.Pattern, r.Flags) })
	return r
}

// match gives the part of the command that the rule matches: a simple command if one does, else
// the whole text.
func (r *rule) match(t *target) (fragment string, ok bool) {
	var m matcher
	for i := range t.commands() {
		c := &t.simple[i]
		if !r.concerns(c) {
			continue
		}
		if !m.ready(r) {
			return "", false
		}
		if m.match(c.plain) || !r.isDefault() && m.match(c.source) {
			return c.source, true
		}
	}
	if r.wholeCommand(t) && m.ready(r) && m.match(t.text) {
		return strings.TrimSpace(t.text), true
	}
	return "", false
}

// isDefault reports a default rule. Those know which names they are about.
func (r *rule) isDefault() bool { return r.names != "" }

// wholeCommand reports that a rule is tried on the whole text. Default rules are not, because it
// may hold anything as data. Nor are rules about readers when the text begins with one that reads
// its standard input, or `^cat ` would match `cat <<E` after all.
func (r *rule) wholeCommand(t *target) bool {
	if r.isDefault() {
		return false
	}
	return len(t.simple) == 0 || r.concerns(&t.simple[0])
}

// concerns reports that a rule has to be tried on a simple command. Rules of the tools that look
// into files leave commands alone that look at their standard input.
func (r *rule) concerns(c *simple) bool {
	if r.isDefault() && !strings.Contains(r.names, " "+c.name+" ") {
		return false
	}
	switch r.Tool {
	case "read":
		return c.readsFiles(1)
	case "grep":
		return c.readsFiles(2) // the first operand is the pattern
	}
	return true
}
