package config

import (
	"fmt"
	"iter"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseNode parses a YAML node as a value of the key's kind.
func (k Key) parseNode(n *yaml.Node, base pathBase) (any, []*Error) {
	n = resolve(n)
	if isNull(n) {
		return nil, []*Error{k.problem("has no value; remove the line or write %s", k.Expects())}
	}
	switch k.kind {
	case kindList:
		return k.parseList(n)
	case kindRules:
		return k.parseRules(n)
	case kindMap:
		return k.parseMap(n)
	}
	if n.Kind != yaml.ScalarNode || !k.acceptsTag(n) {
		return nil, []*Error{k.problem("expected %s, found %s", k.Expects(), describe(n))}
	}
	value, err := k.parseScalar(n.Value, base)
	if err != nil {
		return nil, []*Error{k.invalid(n.Value, err)}
	}
	return value, nil
}

// acceptsTag reports whether the type that YAML gives a scalar suits the kind: a quoted "true" is not a boolean, 5 is
// not a string.
func (k Key) acceptsTag(n *yaml.Node) bool {
	tag := n.ShortTag()
	switch k.kind {
	case kindBool: // in YAML 1.1 yes, no, on and off are booleans too
		return tag == "!!bool" || tag == "!!str" && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	case kindTime, kindSize:
		return tag == "!!int" || tag == "!!float" || tag == "!!str"
	}
	return tag == "!!str"
}

func (k Key) parseList(n *yaml.Node) (any, []*Error) {
	if n.Kind != yaml.SequenceNode {
		return nil, []*Error{k.problem("expected %s, found %s", k.Expects(), describe(n))}
	}
	list := []string{}
	var problems []*Error
	for i, item := range n.Content {
		item = resolve(item)
		if item.Kind != yaml.ScalarNode || item.ShortTag() != "!!str" || item.Value == "" {
			problems = append(problems, &Error{Key: fmt.Sprintf("%s[%d]", k.Name, i), Line: item.Line, Reason: "expected a name, found " + describe(item)})
			continue
		}
		list = append(list, item.Value)
	}
	return list, problems
}

// parseMap parses the names and values of environment variables. A number or boolean is the text as written.
func (k Key) parseMap(n *yaml.Node) (any, []*Error) {
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
			add(value, key.Value, "expected a string, found "+describe(value))
			continue
		}
		if err := checkVariable(key.Value, value.Value); err != nil {
			add(key, key.Value, err.Error())
		}
		set[key.Value] = value.Value
	}
	return set, problems
}

func (k Key) parseRules(n *yaml.Node) (any, []*Error) {
	if n.Kind != yaml.SequenceNode {
		return nil, []*Error{k.problem("expected %s, found %s", k.Expects(), describe(n))}
	}
	rules := []Rule{}
	var problems []*Error
	for i, item := range n.Content {
		rule, found := parseRule(fmt.Sprintf("%s[%d]", k.Name, i), resolve(item))
		rules = append(rules, rule)
		problems = append(problems, found...)
	}
	return rules, problems
}

// parseRule parses one rule. name is its key with the index, for messages.
func parseRule(name string, n *yaml.Node) (Rule, []*Error) {
	var rule Rule
	var problems []*Error
	add := func(at *yaml.Node, p Error) {
		p.Line = at.Line
		problems = append(problems, &p)
	}
	if n.Kind != yaml.MappingNode {
		add(n, Error{Key: name, Reason: "expected a rule with " + ruleFields() + ", found " + describe(n)})
		return rule, problems
	}
	fields := map[string]*string{}
	for _, f := range rule.fields() {
		fields[f.name] = f.value
	}
	for key, value := range pairsOf(n, func(key *yaml.Node, reason string) { add(key, Error{Key: name + "." + key.Value, Reason: reason}) }) {
		field, known := fields[key.Value]
		full := name + "." + key.Value
		switch {
		case !known:
			add(key, Error{Key: full, Reason: fmt.Sprintf("unknown setting %q", full), Nearest: nearest(key.Value, sortedKeys(fields))})
		case value.Kind != yaml.ScalarNode || value.ShortTag() != "!!str":
			add(value, Error{Key: full, Reason: "expected a string, found " + describe(value)})
		default:
			*field = value.Value
		}
	}
	for _, f := range rule.fields() {
		if len(problems) == 0 && *f.value == "" && !f.optional {
			add(n, Error{Key: name, Reason: f.name + " is missing"})
		}
	}
	return rule, problems
}

// parseJSON parses the value of a variable that is written as JSON. JSON is YAML too.
func (k Key) parseJSON(text string, base pathBase) (any, []*Error) {
	root, err := parseYAML([]byte(text))
	if err != nil {
		return nil, []*Error{k.problem("expected %s as JSON: %s", k.Expects(), err.Reason)}
	}
	if root == nil {
		return nil, []*Error{k.problem("expected %s as JSON, found nothing", k.Expects())}
	}
	value, problems := k.parseNode(root, base)
	for _, p := range problems {
		p.Line = 0
	}
	return value, problems
}

// pairsOf returns the entries of a mapping with aliases resolved. It skips a key that is not a scalar, a duplicate, or a
// merge key, and reports it to bad.
func pairsOf(n *yaml.Node, bad func(key *yaml.Node, reason string)) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		lines := map[string]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := resolve(n.Content[i]), resolve(n.Content[i+1])
			switch first, twice := lines[key.Value]; {
			case key.Kind != yaml.ScalarNode:
				bad(key, "expected a name as the key, found "+describe(key))
			case key.ShortTag() == "!!merge":
				bad(key, "merge keys are not supported; write the settings out")
			case twice:
				bad(key, fmt.Sprintf("is already set on line %d", first))
			default:
				lines[key.Value] = key.Line
				if !yield(key, value) {
					return
				}
			}
		}
	}
}

// resolve returns the node that an alias stands for. YAML has no alias of an alias.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// isNull reports whether n is null, in any of its spellings.
func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// describe returns a few words about a node for a message, with its text if it is a scalar.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.MappingNode:
		return "a section"
	case isNull(n):
		return "nothing"
	case n.ShortTag() == "!!str":
		return "the string " + quote(n.Value)
	}
	return shorten(n.Value)
}

// quote returns a value quoted and shortened for a message.
func quote(text string) string { return fmt.Sprintf("%q", shorten(text)) }

// shorten returns at most the first 60 characters of text, as valid UTF-8.
func shorten(text string) string {
	const most = 60
	text = strings.ToValidUTF8(text, "\uFFFD")
	if runes := []rune(text[:min(len(text), 4*most)]); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
