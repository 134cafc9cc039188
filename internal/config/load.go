package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/viper"

	"pi/internal/environ"
)

// LoadOptions names the sources that [Load] reads.
type LoadOptions struct {
	File      string            // the value of --config; empty: not given
	Environ   []string          // NAME=VALUE, as os.Environ returns it
	Overrides map[string]string // values of --artifacts-dir and --color by the name of the key, as text
}

// OriginKind is the kind of source that set a value.
type OriginKind uint8

// The kinds of sources, from lowest to highest precedence.
const (
	FromDefault OriginKind = iota
	FromFile
	FromEnv
	FromFlag
)

// Origin is the source that set the value of a key.
type Origin struct {
	Kind OriginKind
	Name string // file path, variable, or flag with its dashes; empty for a default
	Line int    // 1-based, only of FromFile
}

// String returns the origin for a person: "default", "/home/u/.config/pi/config.yaml:3", "PI_TOOLS", "--color".
func (o Origin) String() string {
	switch o.Kind {
	case FromFile:
		return fmt.Sprintf("%s:%d", o.Name, o.Line)
	case FromEnv, FromFlag:
		return o.Name
	}
	return "default"
}

// Loaded is a configuration with the source of each value.
type Loaded struct {
	Config   Config
	File     string   // the file that was read; empty: none
	Warnings []string // one sentence each: variables that were ignored and look like misspelt settings

	origins map[string]Origin
}

// Origin returns the source that set the key of that name, see [Key].Name.
func (l *Loaded) Origin(name string) Origin { return l.origins[name] }

// Load reads, merges and checks the configuration. The error joins every problem found; [Problems] returns them one by
// one. A missing file is an error only if the user named it.
func Load(o LoadOptions) (*Loaded, error) {
	text, found, err := Locate(o).read()
	if err != nil {
		return nil, err
	}
	variables := piVariables(o.Environ)
	if !found && len(variables) == 0 && len(o.Overrides) == 0 {
		return &Loaded{Config: Defaults()}, nil
	}
	return load(o, text, found, variables)
}

// load merges the sources when at least one of them sets something.
func load(o LoadOptions, text []byte, found bool, variables map[string]string) (*Loaded, error) {
	keys, home := Keys(), environ.Home(o.Environ)
	loaded := &Loaded{}
	var file layer
	var problems []*Error
	if found {
		loaded.File = Locate(o).Path
		file, problems = parseFile(keys, loaded.File, text, home)
	}
	env, more := environment(keys, variables, pathBase{home: home})
	problems = append(problems, more...)
	flags, more := overrides(keys, o.Overrides, pathBase{home: home})
	problems = append(problems, more...)
	if err := join(problems); err != nil {
		return nil, err
	}
	loaded.Warnings = misspelled(keys, variables)
	loaded.Config, loaded.origins = merge(keys, file, env, flags)
	return loaded, nil
}

// overrides parses the values of flags.
func overrides(keys []Key, values map[string]string, base pathBase) (layer, []*Error) {
	set := layer{}
	var problems []*Error
	for _, name := range sortedKeys(values) {
		k, known := findKey(keys, name)
		if !known || k.flag == "" {
			problems = append(problems, &Error{Key: name, Reason: "has no flag"})
			continue
		}
		value, found := k.parseText(values[name], base)
		for _, p := range found {
			p.Source = k.flag
		}
		problems = append(problems, found...)
		set[name] = setting{value, Origin{Kind: FromFlag, Name: k.flag}}
	}
	return set, problems
}

// merge merges the layers with viper, the last one on top, and fills the struct field by field: viper's Unmarshal would
// lower-case the names in shell.env, and costs more than everything else here.
func merge(keys []Key, layers ...layer) (Config, map[string]Origin) {
	config, origins := Defaults(), map[string]Origin{}
	v := viper.New()
	for _, k := range keys {
		v.SetDefault(k.Name, k.value(&config))
	}
	for _, set := range layers {
		_ = v.MergeConfigMap(set.nested()) // fails only for a value that is not a map
		for name, s := range set {
			origins[name] = s.origin
		}
	}
	for _, k := range keys {
		if _, set := origins[k.Name]; set {
			k.store(&config, v.Get(k.Name))
		}
	}
	return config, origins
}

// nested returns the layer as viper expects it, with sections as maps.
func (l layer) nested() map[string]any {
	tree := map[string]any{}
	for name, s := range l {
		section, key, ok := strings.Cut(name, ".")
		if !ok {
			tree[name] = s.value
			continue
		}
		below, _ := tree[section].(map[string]any)
		if below == nil {
			below = map[string]any{}
			tree[section] = below
		}
		below[key] = s.value
	}
	return tree
}

// problem returns an error about the key.
func (k Key) problem(format string, args ...any) *Error {
	return &Error{Key: k.Name, Reason: fmt.Sprintf(format, args...)}
}

// invalid returns the error about an invalid value: the value, what is wrong with it, and what was expected.
func (k Key) invalid(text string, err error) *Error {
	return k.problem("%s %v; expected %s", quote(text), err, k.Expects())
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
