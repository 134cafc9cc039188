package config

import (
	"runtime"
	"strings"
)

// setting is a value that one source gives to one key.
type setting struct {
	value  any
	origin Origin
}

// layer is everything one source sets, by key name.
type layer map[string]setting

// aside lists PI_ variables that are no settings: they steer pi itself or its tests.
func aside(name string) bool {
	switch name {
	case "PI_CONFIG", "PI_NO_PTY", "PI_RUN", "PI_REQUIRE_TOOLS":
		return true
	}
	return false
}

// piVariables is every PI_ variable with a value, first of a name wins. It is nil when there is none, and then costs
// nothing but the pass over environ.
func piVariables(environ []string) map[string]string {
	var found map[string]string
	for _, entry := range environ {
		if len(entry) < 4 || !strings.EqualFold(entry[:3], "PI_") {
			continue
		}
		name, value, _ := strings.Cut(entry, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if _, twice := found[name]; twice || value == "" || !strings.HasPrefix(name, "PI_") || aside(name) {
			continue
		}
		if found == nil {
			found = map[string]string{}
		}
		found[name] = value
	}
	return found
}

// environment reads the layer of PI_ variables. Those of other programs are left alone.
func environment(keys []Key, variables map[string]string, at place) (layer, []*Error) {
	if len(variables) == 0 {
		return nil, nil
	}
	set := layer{}
	var problems []*Error
	for _, k := range keys {
		name := k.Variable()
		text, ok := variables[name]
		if !ok {
			continue
		}
		value, found := k.text(text, at)
		for _, p := range found {
			p.Source = name
		}
		problems = append(problems, found...)
		set[k.Name] = setting{value, Origin{Kind: FromEnv, Name: name}}
	}
	return set, problems
}

// nearMisses names the PI_ variables that are no setting but read like one: PI_BASHINTERCEPTOR_ENABLED, PI_BASH_TIMOUT.
func nearMisses(keys []Key, variables map[string]string) []string {
	var warnings []string
	known := make([]string, len(keys))
	for i, k := range keys {
		known[i] = k.Variable()
	}
	for _, name := range sortedKeys(variables) {
		near := nearest(name, known)
		if d := distance(name, near); d > 0 && d <= 2 {
			warnings = append(warnings, name+" is no setting and was ignored, the nearest is "+near)
		}
	}
	return warnings
}

// text reads a value of any kind as it stands in a variable or a flag: scalars as in the file, lists as a,b,c, maps as
// K=V,K=V, and lists, maps and rules as JSON too.
func (k Key) text(text string, at place) (any, []*Error) {
	trimmed := strings.TrimSpace(text)
	switch {
	case k.kind == kindRules || (k.kind == kindList || k.kind == kindMap) && strings.ContainsAny(trimmed[:min(1, len(trimmed))], "[{"):
		return k.json(text, at)
	case k.kind == kindList:
		return k.commaList(text)
	case k.kind == kindMap:
		return k.pairs(text)
	}
	value, err := k.scalar(text, at)
	if err != nil {
		return nil, []*Error{k.wrong(text, err)}
	}
	return value, nil
}

func (k Key) commaList(text string) (any, []*Error) {
	list := []string{}
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, item)
		}
	}
	return list, nil
}

func (k Key) pairs(text string) (any, []*Error) {
	set := map[string]string{}
	var problems []*Error
	for item := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(item, "=")
		if !ok {
			problems = append(problems, k.problem("expected NAME=VALUE between commas, or a JSON object, found %q", item))
			continue
		}
		if err := checkVariable(name, value); err != nil {
			problems = append(problems, k.problem("%v", err))
		}
		set[name] = value
	}
	return set, problems
}
