// Package intercept decides whether to block a command because the caller has a tool for the task: reading, searching,
// finding, editing or writing files.
//
// A rule blocks a command only if its pattern matches and its tool is available. Rules are advice, not a security
// boundary: a command that disguises what it does is not blocked. docs/interception.md describes what patterns are
// matched against.
package intercept

import (
	"fmt"
	"slices"
	"strings"

	"pi/internal/intercept/jsregexp"
)

// Rule blocks commands that match Pattern if Tool is available.
type Rule struct {
	Pattern string // JavaScript regular expression
	Flags   string // flags of the regular expression; may be empty
	Tool    string // the tool to use instead
	Message string // what to do instead; may be empty
}

// Verdict is the decision about one command. The zero Verdict allows it.
type Verdict struct {
	Blocked  bool
	Rule     int    // index in the effective list: the user's rules, then the defaults
	RuleID   string // stable name: that of a default rule, or "user:" and the index
	Tool     string // the tool to use instead
	Reason   string // the rule's message
	Message  string // Message(Reason, the command given to Check)
	Fragment string // the part of the command that matched, as written
}

// InvalidRule describes a rule that cannot be applied.
type InvalidRule struct {
	Index   int // position in the list passed to New
	Pattern string
	Reason  string // what is wrong with it
}

// DefaultTools returns the tools that are available unless the configuration says otherwise.
func DefaultTools() []string { return []string{"read", "grep", "find", "edit", "write"} }

// Message returns the text that tells a caller why its command did not run.
func Message(reason, original string) string {
	return fmt.Sprintf("Blocked: %s\n\nOriginal command: %s", strings.TrimPrefix(reason, "Blocked: "), original)
}

// Checker applies a list of rules. It is safe for concurrent use.
type Checker struct {
	rules []rule
}

// New returns a Checker with the user's rules followed, unless replaceDefaults is set, by the default rules. Invalid rules
// are returned and skipped; the others keep their index.
func New(user []Rule, replaceDefaults bool) (*Checker, []InvalidRule) {
	c := &Checker{}
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

// Check returns the verdict of the first rule that matches the command and whose tool is among tools. Each rule is tried
// on the simple commands from left to right, then on the whole command.
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

// target is a command under test, parsed when the first rule needs it.
type target struct {
	text   string
	parsed bool
	simple []simpleCommand
}

func (t *target) commands() []simpleCommand {
	if !t.parsed {
		t.parsed, t.simple = true, simpleCommands(t.text)
	}
	return t.simple
}

// matcher matches a rule's pattern during one Check.
type matcher struct {
	re   *jsregexp.Regexp
	slow bool // a match timed out, so the others are not tried
}

// compile compiles the pattern if necessary. It returns false if the pattern is invalid.
func (m *matcher) compile(r *rule) bool {
	if m.re == nil {
		m.re, _ = r.compile() // New reported the error
	}
	return m.re != nil
}

// match reports whether the pattern matches. A match that times out counts as none, so that a rule cannot delay a command.
func (m *matcher) match(text string) bool {
	if m.slow {
		return false
	}
	ok, err := m.re.Match(text)
	m.slow = err != nil
	return ok
}
