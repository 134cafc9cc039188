package intercept

import (
	"path"
	"slices"
	"strings"
)

// unwrap takes away leading names that only start another command, with their own options and
// operands: `sudo -u root env A=1 cat f` is `cat f`.
func unwrap(words []string) []string {
	for len(words) > 0 {
		rest, ok := unwrapOne(words)
		if !ok {
			return words
		}
		words = rest
	}
	return words
}

// unwrapOne gives the words of the command that the first word starts. False: it starts none.
func unwrapOne(words []string) ([]string, bool) {
	name := words[0]
	if path.IsAbs(name) {
		name = path.Base(name)
	}
	withValue, operands, ok := wrapper(name)
	if !ok {
		return nil, false
	}
	rest := words[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		option := rest[0]
		if name == "command" && strings.ContainsAny(option, "vV") {
			return nil, false // asks where a command is
		}
		rest = rest[1:]
		if option == "--" {
			break
		}
		if len(rest) > 0 && valueFollows(option, withValue) {
			rest = rest[1:]
		}
	}
	for len(rest) > 0 && (name == "env" || name == "sudo") && isAssignment(rest[0]) {
		rest = rest[1:]
	}
	if len(rest) <= operands {
		return nil, false
	}
	return slices.Clip(rest[operands:]), true
}

// wrapper tells of a name that starts the command in its arguments: the letters of its options
// whose value may be a word of its own, and how many operands come before the command.
func wrapper(name string) (withValue string, operands int, ok bool) {
	switch name {
	case "command", "builtin", "nohup", "setsid", "busybox":
		return "", 0, true
	case "exec":
		return "a", 0, true
	case "env":
		return "uCS", 0, true
	case "nice":
		return "n", 0, true
	case "ionice":
		return "cn", 0, true
	case "time":
		return "fo", 0, true
	case "stdbuf":
		return "ioe", 0, true
	case "timeout":
		return "ks", 1, true
	case "doas":
		return "uC", 0, true
	case "sudo":
		return "CDRTUghprtu", 0, true
	case "xargs":
		return "EILPadns", 0, true
	}
	return "", 0, false
}

// valueFollows reports a cluster of short options whose last letter takes the next word.
func valueFollows(option, withValue string) bool {
	if len(option) < 2 || option[1] == '-' {
		return false
	}
	return strings.IndexAny(option[1:], withValue) == len(option)-2
}

// isAssignment reports NAME=value.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
