// Package intercept says whether a command should not run because a dedicated tool does its job:
// reading, searching, finding, editing or writing files.
//
// A rule blocks only when its pattern matches and its tool is at hand. Rules are advice, not a
// fence: a command that hides what it does is not caught, and where the text is not understood
// nothing is guessed. docs/interception.md describes what patterns are matched against.
package intercept

import (
	"fmt"
	"slices"
	"strings"

	"pi/internal/intercept/jsregexp"
)

// Rule blocks commands that Pattern matches while Tool is available.
type Rule struct {
	Pattern string // written for JavaScript's RegExp
	Flags   string // RegExp's flags; may be empty
	Tool    string // the tool to use instead
	Message string // what to do instead; may be empty
}

// Verdict is the answer for one command. The zero value lets it pass.
type Verdict struct {
	Blocked  bool
	Rule     int    // index in the effective list: the user's rules, then the defaults
	RuleID   string // stable name: a default rule's own, or "user:" and its index
	Tool     string // the tool to use instead
	Reason   string // the rule's message alone
	Message  string // Message(Reason, the command given to Check)
	Fragment string // the part of the command that matched, as it was written
}

// InvalidRule is a rule that is never applied.
type InvalidRule struct {
	Index   int // position in the list given to New
	Pattern string
	Reason  string // what is wrong with it
}

// DefaultTools are the tools that a command is checked against when nothing else is configured.
func DefaultTools() []string { return []string{"read", "grep", "find", "edit", "write"} }

// Message is the text that tells a caller why its original command did not run.
func Message(reason, original string) string {
	return fmt.Sprintf("Blocked: %s\n\nOriginal command: %s", strings.TrimPrefix(reason, "Blocked: "), original)
}

// Checker applies a list of rules. It is safe for concurrent use.
type Checker struct {
	rules []rule
}

// New makes a Checker of the user's rules followed by the default ones, which replaceDefaults
// leaves out. So the user's message wins where both match. Rules that cannot work are reported
// and skipped; they keep their index.
func New(user []Rule, replaceDefaults bool) (*Checker, []InvalidRule) {
	c := &Checker{rules: make([]rule, 0, len(user)+defaultCount)}
	var invalid []InvalidRule
	for i, u := range user {
		r := rule{Rule: u, id: fmt.Sprintf("user:%d", i)}
		if err := r.prepare(); err != nil {
			invalid = append(invalid, InvalidRule{i, u.Pattern, err.Error()})
		}
		c.rules = append(c.rules, r)
	}
	if !replaceDefaults {
		c.rules = append(c.rules, defaults()...)
	}
	return c, invalid
}

// Check tries the rules in order, each on the simple commands from left to right and then on the
// whole command. The first match of a rule whose tool is among tools decides.
func (c *Checker) Check(command string, tools []string) Verdict {
	t := target{text: command}
	for i := range c.rules {
		r := &c.rules[i]
		if r.skipped || !slices.Contains(tools, r.Tool) {
			continue
		}
		if fragment, ok := r.match(&t); ok {
			reason := r.Message
			if reason == "" {
				reason = fmt.Sprintf("Use the %s tool instead.", r.Tool)
			}
			return Verdict{
				Blocked: true, Rule: i, RuleID: r.id, Tool: r.Tool,
				Reason: reason, Message: Message(reason, command), Fragment: fragment,
			}
		}
	}
	return Verdict{}
}

// target is one command under test, taken apart when the first rule needs that.
type target struct {
	text   string
	parsed bool
	simple []simple
}

func (t *target) commands() []simple {
	if !t.parsed {
		t.parsed, t.simple = true, commands(t.text)
	}
	return t.simple
}

// matcher is a rule's pattern within one Check.
type matcher struct {
	re   *jsregexp.Regexp
	slow bool // a match was given up; further ones would only cost the same again
}

// ready compiles the pattern when it is first needed.
func (m *matcher) ready(r *rule) bool {
	if m.re == nil {
		m.re, _ = r.compile() // New reported the error
	}
	return m.re != nil
}

// match counts a match that takes too long as none: a rule must not hold a command up.
func (m *matcher) match(text string) bool {
	if m.slow {
		return false
	}
	ok, err := m.re.Match(text)
	m.slow = err != nil
	return ok
}
