package config

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// YAML returns the configuration as a file that [Load] reads back as the same configuration. With origins, a comment
// beside each key names the source of its value.
func (l *Loaded) YAML(origins bool) ([]byte, error) {
	root := &yaml.Node{Kind: yaml.MappingNode}
	sections := map[string]*yaml.Node{}
	for _, k := range Keys() {
		parent, name := root, k.Name
		if section, key, ok := strings.Cut(k.Name, "."); ok {
			parent, name = sections[section], key
			if parent == nil {
				parent = &yaml.Node{Kind: yaml.MappingNode}
				sections[section] = parent
				root.Content = append(root.Content, scalarNode(section), parent)
			}
		}
		key, value := scalarNode(name), valueNode(k.value(&l.Config))
		if origins {
			commentNode(key, value).LineComment = l.Origin(k.Name).String()
		}
		parent.Content = append(parent.Content, key, value)
	}
	return encode(root)
}

func encode(root *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return nil, fmt.Errorf("write the configuration: %w", err)
	}
	return out.Bytes(), encoder.Close()
}

// commentNode returns the node whose comment the encoder writes on the key's line: the key if the value spans lines.
func commentNode(key, value *yaml.Node) *yaml.Node {
	if value.Kind != yaml.ScalarNode && value.Style != yaml.FlowStyle {
		return key
	}
	return value
}

// scalarNode returns the node of a string. It is quoted if YAML would read the plain text as another type, and if the
// encoder would write a block that cannot be read back (a tab at the start of a line).
func scalarNode(text string) *yaml.Node {
	text = strings.ToValidUTF8(text, "\uFFFD") // the environment may hold any bytes
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	if n.ShortTag() != "!!str" || text == "<<" || strings.ContainsAny(text, "\n\t") {
		n.Style = yaml.DoubleQuotedStyle
	}
	n.Tag = "!!str"
	return n
}

// valueNode returns the node of a value, written as a person would.
func valueNode(value any) *yaml.Node {
	switch v := value.(type) {
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v)}
	case time.Duration:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: seconds(v)}
	case int64:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: FormatSize(v)}
	case []string:
		list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for _, item := range v {
			list.Content = append(list.Content, scalarNode(item))
		}
		return list
	case []Rule:
		return rulesNode(v)
	case map[string]string:
		return mapNode(v)
	}
	text, _ := value.(string)
	return scalarNode(text)
}

func rulesNode(rules []Rule) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	if len(rules) == 0 {
		list.Style = yaml.FlowStyle
	}
	for _, r := range rules {
		rule := &yaml.Node{Kind: yaml.MappingNode}
		for _, f := range r.fields() {
			if *f.value != "" || !f.optional {
				rule.Content = append(rule.Content, scalarNode(f.name), scalarNode(*f.value))
			}
		}
		list.Content = append(list.Content, rule)
	}
	return list
}

func mapNode(values map[string]string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	if len(values) == 0 {
		n.Style = yaml.FlowStyle
	}
	for _, name := range sortedKeys(values) {
		n.Content = append(n.Content, scalarNode(name), scalarNode(values[name]))
	}
	return n
}

// seconds formats a duration as a decimal number of seconds, without rounding.
func seconds(d time.Duration) string {
	whole, rest := d/time.Second, d%time.Second
	if rest == 0 {
		return strconv.FormatInt(int64(whole), 10)
	}
	return strings.TrimRight(fmt.Sprintf("%d.%09d", whole, rest), "0")
}

// Tree returns the configuration for encoding as JSON: sections are maps, times seconds, sizes bytes; no list or map is
// nil.
func (l *Loaded) Tree() map[string]any {
	set := layer{}
	for _, k := range Keys() {
		set[k.Name] = setting{value: jsonValue(k.value(&l.Config))}
	}
	return set.nested()
}

// jsonValue converts a value to the types that JSON has.
func jsonValue(value any) any {
	switch v := value.(type) {
	case time.Duration:
		return v.Seconds()
	case []string:
		return append([]string{}, v...)
	case map[string]string:
		if v == nil {
			return map[string]string{}
		}
	case []Rule:
		rules := make([]map[string]string, len(v))
		for i, r := range v {
			rules[i] = map[string]string{}
			for _, f := range r.fields() {
				rules[i][f.name] = *f.value
			}
		}
		return rules
	}
	return value
}
