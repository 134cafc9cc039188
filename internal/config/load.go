package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/viper"

	"pi/internal/environ"
)

// LoadOptions says where to look.
type LoadOptions struct {
	File      string            // the value of --config; empty: not given
	Environ   []string          // KEY=VALUE, as os.Environ gives it
	Overrides map[string]string // values of --artifacts-dir and --color by key, written as in a variable
}

// OriginKind is the kind of source a value came from.
type OriginKind uint8

// The sources, later wins.
const (
	FromDefault OriginKind = iota
	FromFile
	FromEnv
	FromFlag
)

// Origin is where the value of a key came from.
type Origin struct {
	Kind OriginKind
	Name string // file path, variable, flag with its dashes; empty for a default
	Line int    // 1-based, only of FromFile
}

// String is the origin in few words: "default", "/home/u/.config/pi/config.yaml:3", "PI_TOOLS", "--color".
func (o Origin) String() string {
	switch o.Kind {
	case FromFile:
		return fmt.Sprintf("%s:%d", o.Name, o.Line)
	case FromEnv, FromFlag:
		return o.Name
	}
	return "default"
}

// Loaded is a configuration with its history.
type Loaded struct {
	Config   Config
	File     string   // the file that was read; empty: none
	Warnings []string // things that look like a mistake and changed nothing

	origins map[string]Origin
}

// Origin is where the value of the key came from; the key's name as in [Key].
func (l *Loaded) Origin(name string) Origin { return l.origins[name] }

// Load reads and checks the configuration. The error holds every problem found ([Problems] takes it apart); then
// there is no configuration. A default file that does not exist is no problem, one that was asked for is.
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

// load is the long way: there is something to merge.
func load(o LoadOptions, text []byte, found bool, variables map[string]string) (*Loaded, error) {
	keys, home := Keys(), environ.Home(o.Environ)
	loaded := &Loaded{}
	var file layer
	var problems, more []*Error
	if found {
		loaded.File = Locate(o).Path
		file, problems = parseFile(keys, loaded.File, text, home)
	}
	env, more := environment(keys, variables, place{home: home})
	problems = append(problems, more...)
	flags, more := overrides(keys, o.Overrides, place{home: home})
	problems = append(problems, more...)
	if err := join(problems); err != nil {
		return nil, err
	}
	loaded.Warnings = nearMisses(keys, variables)
	loaded.Config, loaded.origins = merge(keys, file, env, flags)
	return loaded, nil
}

// overrides reads the layer of flags.
func overrides(keys []Key, values map[string]string, at place) (layer, []*Error) {
	set := layer{}
	var problems []*Error
	for _, name := range sortedKeys(values) {
		k, known := findKey(keys, name)
		if !known || k.flag == "" {
			problems = append(problems, &Error{Key: name, Reason: "no flag sets it"})
			continue
		}
		value, found := k.text(values[name], at)
		for _, p := range found {
			p.Source = k.flag
		}
		problems = append(problems, found...)
		set[name] = setting{value, Origin{Kind: FromFlag, Name: k.flag}}
	}
	return set, problems
}

// merge lets viper put the layers on each other, later ones on top, and fills the struct by hand: its reflection-driven
// Unmarshal would lower-case variable names and costs more than everything else here.
func merge(keys []Key, layers ...layer) (Config, map[string]Origin) {
	config, origins := Defaults(), map[string]Origin{}
	v := viper.New()
	for _, k := range keys {
		v.SetDefault(k.Name, k.value(&config))
	}
	for _, set := range layers {
		_ = v.MergeConfigMap(set.nested()) // fails only for what is no map
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

// nested is the layer as viper wants it, sections as maps.
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

// problem is an error of the key as such.
func (k Key) problem(format string, args ...any) *Error {
	return &Error{Key: k.Name, Reason: fmt.Sprintf(format, args...)}
}

// wrong is the error of a value that does not fit: what it is, and what was expected.
func (k Key) wrong(text string, err error) *Error {
	return k.problem("%s %v, expected %s", quote(text), err, k.Expects())
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
