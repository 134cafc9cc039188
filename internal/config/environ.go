package config

import (
	"runtime"
	"strings"
)

// setting is the value of one key in one source.
type setting struct {
	value  any
	origin Origin
}

// layer holds everything that one source sets, by the name of the key.
type layer map[string]setting

// isReserved reports whether a PI_ variable has a meaning for pi or its tests without being a setting.
func isReserved(name string) bool {
	switch name {
	case "PI_CONFIG", "PI_NO_PTY", "PI_RUN", "PI_REQUIRE_TOOLS":
		return true
	}
	return false
}

// piVariables returns the PI_ variables that are not empty; the first of a name wins. It returns nil if there are none,
// and then allocates nothing.
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
		if _, twice := found[name]; twice || value == "" || !strings.HasPrefix(name, "PI_") || isReserved(name) {
			continue
		}
		if found == nil {
			found = map[string]string{}
		}
		found[name] = value
	}
	return found
}

// environment parses the PI_ variables that are settings. It ignores the others, which may belong to other programs.
func environment(keys []Key, variables map[string]string, base pathBase) (layer, []*Error) {
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
		value, found := k.parseText(text, base)
		for _, p := range found {
			p.Source = name
		}
		problems = append(problems, found...)
		set[k.Name] = setting{value, Origin{Kind: FromEnv, Name: name}}
	}
	return set, problems
}

// misspelled returns a warning for each PI_ variable that is not a setting but nearly the name of one, such as
// PI_BASHINTERCEPTOR_ENABLED or PI_BASH_TIMOUT.
func misspelled(keys []Key, variables map[string]string) []string {
	var warnings []string
	known := make([]string, len(keys))
	for i, k := range keys {
		known[i] = k.Variable()
	}
	for _, name := range sortedKeys(variables) {
		near := nearest(name, known)
		if d := distance(name, near); d > 0 && d <= 2 {
			warnings = append(warnings, "unknown setting "+name+" ignored; did you mean "+near+"?")
		}
	}
	return warnings
}

// parseText parses the value of a variable or a flag: scalars as in a file, lists as a,b,c, maps as K=V,K=V, and lists,
// maps and rules as JSON.
func (k Key) parseText(text string, base pathBase) (any, []*Error) {
	trimmed := strings.TrimSpace(text)
	switch {
	case k.kind == kindRules || (k.kind == kindList || k.kind == kindMap) && strings.ContainsAny(trimmed[:min(1, len(trimmed))], "[{"):
		return k.parseJSON(text, base)
	case k.kind == kindList:
		return parseCommaList(text), nil
	case k.kind == kindMap:
		return k.parsePairs(text)
	}
	value, err := k.parseScalar(text, base)
	if err != nil {
		return nil, []*Error{k.invalid(text, err)}
	}
	return value, nil
}

func parseCommaList(text string) []string {
	list := []string{}
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, item)
		}
	}
	return list
}

func (k Key) parsePairs(text string) (any, []*Error) {
	set := map[string]string{}
	var problems []*Error
	for item := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(item, "=")
		if !ok {
			problems = append(problems, k.problem("expected NAME=VALUE,… or a JSON object, found %s", quote(item)))
			continue
		}
		if err := checkVariable(name, value); err != nil {
			problems = append(problems, k.problem("%v", err))
		}
		set[name] = value
	}
	return set, problems
}
