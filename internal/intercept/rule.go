package intercept

import (
	"errors"
	"strings"
	"sync"

	"pi/internal/intercept/jsregexp"
)

// rule is a Rule with what [Checker] needs to apply it.
type rule struct {
	Rule
	id      string
	skipped bool   // the rule is invalid
	names   string // of a default rule: the command names it can match, with a blank around each
	compile func() (*jsregexp.Regexp, error)
}

// prepare compiles a user's rule and returns what is wrong with it.
func (r *rule) prepare() error {
	re, err := r.compileNow()
	r.skipped = err != nil
	r.compile = func() (*jsregexp.Regexp, error) { return re, err }
	return err
}

func (r *rule) compileNow() (*jsregexp.Regexp, error) {
	switch {
	case r.Pattern == "":
		return nil, errors.New("pattern is empty")
	case r.Tool == "":
		return nil, errors.New("tool is empty")
	}
	return jsregexp.Compile(r.Pattern, r.Flags)
}

// lazy returns a default rule that is compiled when it is first needed, since most never are.
func (r rule) lazy() rule {
	r.compile = sync.OnceValues(func() (*jsregexp.Regexp, error) { return jsregexp.Compile(r.Pattern, r.Flags) })
	return r
}

// match returns the part of the text that the rule matches: the first simple command that matches, else the whole text.
func (r *rule) match(t *target) (fragment string, ok bool) {
	var m matcher
	for i := range t.commands() {
		c := &t.simple[i]
		if !r.appliesTo(c) {
			continue
		}
		if !m.compile(r) {
			return "", false
		}
		if m.match(c.plain) || !r.isDefault() && m.match(c.source) {
			return c.source, true
		}
	}
	if r.matchesWholeText(t) && m.compile(r) && m.match(t.text) {
		return strings.TrimSpace(t.text), true
	}
	return "", false
}

// isDefault reports whether the rule is a default rule.
func (r *rule) isDefault() bool { return r.names != "" }

// matchesWholeText reports whether the rule is tried on the whole text too. Default rules are not, since the text may
// contain anything as data. Rules about commands that read files are not if the first command reads standard input;
// otherwise `^cat ` would match `cat <<E`.
func (r *rule) matchesWholeText(t *target) bool {
	if r.isDefault() {
		return false
	}
	return len(t.simple) == 0 || r.appliesTo(&t.simple[0])
}

// appliesTo reports whether the rule is tried on a simple command. Rules for tools that read files do not apply to
// commands that read standard input.
func (r *rule) appliesTo(c *simpleCommand) bool {
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
