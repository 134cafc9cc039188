package config

import (
	"fmt"
	"iter"
	"strings"

	"go.yaml.in/yaml/v3"
)

// node reads a YAML node as a value of the key's kind.
func (k Key) node(n *yaml.Node, at place) (any, []*Error) {
	n = follow(n)
	if isNull(n) {
		return nil, []*Error{k.problem("has no value; remove the line, or write %s", k.Expects())}
	}
	switch k.kind {
	case kindList:
		return k.list(n)
	case kindRules:
		return k.rules(n)
	case kindMap:
		return k.variables(n)
	}
	if n.Kind != yaml.ScalarNode || !k.tagFits(n) {
		return nil, []*Error{k.problem("expected %s, found %s", k.Expects(), describe(n))}
	}
	value, err := k.scalar(n.Value, at)
	if err != nil {
		return nil, []*Error{k.wrong(n.Value, err)}
	}
	return value, nil
}

// tagFits reports whether YAML's own idea of the scalar's type suits the kind: "true" in quotes is no switch, 5 no text.
func (k Key) tagFits(n *yaml.Node) bool {
	tag := n.ShortTag()
	switch k.kind {
	case kindBool: // YAML 1.1 also wrote yes, no, on and off for it
		return tag == "!!bool" || tag == "!!str" && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	case kindTime, kindSize:
		return tag == "!!int" || tag == "!!float" || tag == "!!str"
	}
	return tag == "!!str"
}

func (k Key) list(n *yaml.Node) (any, []*Error) {
	if n.Kind != yaml.SequenceNode {
		return nil, []*Error{k.problem("expected %s, found %s", k.Expects(), describe(n))}
	}
	list := []string{}
	var problems []*Error
	for i, item := range n.Content {
		item = follow(item)
		if item.Kind != yaml.ScalarNode || item.ShortTag() != "!!str" || item.Value == "" {
			problems = append(problems, &Error{Key: fmt.Sprintf("%s[%d]", k.Name, i), Line: item.Line, Reason: "expected a name, found " + describe(item)})
			continue
		}
		list = append(list, item.Value)
	}
	return list, problems
}

// variables reads names and values of an environment. Numbers and switches count as the text that was written.
func (k Key) variables(n *yaml.Node) (any, []*Error) {
	if n.Kind != yaml.MappingNode {
		return nil, []*Error{k.problem("expected %s, found %s", k.Expects(), describe(n))}
	}
	set := map[string]string{}
	var problems []*Error
	add := func(at *yaml.Node, name, reason string) {
		problems = append(problems, &Error{Key: k.Name + "." + name, Line: at.Line, Reason: reason})
	}
	for key, value := range pairsOf(n, func(key *yaml.Node, reason string) { add(key, key.Value, reason) }) {
		if value.Kind != yaml.ScalarNode || isNull(value) {
			add(value, key.Value, "expected a text, found "+describe(value))
			continue
		}
		if err := checkVariable(key.Value, value.Value); err != nil {
			add(key, key.Value, err.Error())
		}
		set[key.Value] = value.Value
	}
	return set, problems
}

func (k Key) rules(n *yaml.Node) (any, []*Error) {
	if n.Kind != yaml.SequenceNode {
		return nil, []*Error{k.problem("expected %s, found %s", k.Expects(), describe(n))}
	}
	rules := []Rule{}
	var problems []*Error
	for i, item := range n.Content {
		rule, found := parseRule(fmt.Sprintf("%s[%d]", k.Name, i), follow(item))
		rules = append(rules, rule)
		problems = append(problems, found...)
	}
	return rules, problems
}

// parseRule reads one rule; name is its key with the index.
func parseRule(name string, n *yaml.Node) (Rule, []*Error) {
	var rule Rule
	var problems []*Error
	add := func(at *yaml.Node, p Error) {
		p.Line = at.Line
		problems = append(problems, &p)
	}
	if n.Kind != yaml.MappingNode {
		add(n, Error{Key: name, Reason: "expected a rule with pattern, tool, message and optional flags, found " + describe(n)})
		return rule, problems
	}
	fields := map[string]*string{"pattern": &rule.Pattern, "flags": &rule.Flags, "tool": &rule.Tool, "message": &rule.Message}
	for key, value := range pairsOf(n, func(key *yaml.Node, reason string) { add(key, Error{Key: name + "." + key.Value, Reason: reason}) }) {
		field, known := fields[key.Value]
		full := name + "." + key.Value
		switch {
		case !known:
			add(key, Error{Key: full, Reason: fmt.Sprintf("unknown key %q", full), Near: nearest(key.Value, sortedKeys(fields))})
		case value.Kind != yaml.ScalarNode || value.ShortTag() != "!!str":
			add(value, Error{Key: full, Reason: "expected a text, found " + describe(value)})
		default:
			*field = value.Value
		}
	}
	for _, must := range []string{"pattern", "tool", "message"} {
		if len(problems) == 0 && *fields[must] == "" {
			add(n, Error{Key: name, Reason: must + " is missing"})
		}
	}
	return rule, problems
}

// json reads a value of a variable that is written as JSON, which is YAML too.
func (k Key) json(text string, at place) (any, []*Error) {
	root, err := parseYAML([]byte(text))
	if err != nil {
		return nil, []*Error{k.problem("expected %s as JSON: %s", k.Expects(), err.Reason)}
	}
	if root == nil {
		return nil, []*Error{k.problem("expected %s as JSON, found nothing", k.Expects())}
	}
	value, problems := k.node(root, at)
	for _, p := range problems {
		p.Line = 0
	}
	return value, problems
}

// pairsOf gives the entries of a mapping with aliases followed. Keys that are no plain words, come twice or merge
// another mapping are told to bad and left out.
func pairsOf(n *yaml.Node, bad func(key *yaml.Node, reason string)) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		lines := map[string]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := follow(n.Content[i]), follow(n.Content[i+1])
			switch first, twice := lines[key.Value]; {
			case key.Kind != yaml.ScalarNode:
				bad(key, "expected a name as key, found "+describe(key))
			case key.ShortTag() == "!!merge":
				bad(key, "merge keys are not supported, write the settings out")
			case twice:
				bad(key, fmt.Sprintf("is set twice, first on line %d", first))
			default:
				lines[key.Value] = key.Line
				if !yield(key, value) {
					return
				}
			}
		}
	}
}

// follow is the node an alias stands for. An alias of an alias does not exist in YAML.
func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// describe says in words what a node is, with its text when that is short.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.MappingNode:
		return "a section"
	case isNull(n):
		return "nothing"
	case n.ShortTag() == "!!str":
		return "the text " + quote(n.Value)
	}
	return shorten(n.Value)
}

// quote quotes a value for a message, shortened.
func quote(text string) string { return fmt.Sprintf("%q", shorten(text)) }

// shorten keeps a message on one line and readable whatever was written.
func shorten(text string) string {
	const most = 60
	text = strings.ToValidUTF8(text, "\uFFFD")
	if runes := []rune(text[:min(len(text), 4*most)]); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
