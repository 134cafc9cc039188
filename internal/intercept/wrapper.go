package intercept

import (
	"path"
	"slices"
	"strings"
)

// unwrap removes leading wrappers, that is, commands that only start another command, with their options and operands:
// `sudo -u root env A=1 cat f` becomes `cat f`.
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

// unwrapOne removes one wrapper. ok is false if the first word is not a wrapper or starts no command.
func unwrapOne(words []string) (rest []string, ok bool) {
	name := words[0]
	if path.IsAbs(name) {
		name = path.Base(name)
	}
	withValue, operands, ok := wrapper(name)
	if !ok {
		return nil, false
	}
	rest = words[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		option := rest[0]
		if name == "command" && strings.ContainsAny(option, "vV") {
			return nil, false // only prints what a name means
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

// wrapper returns the command line syntax of a wrapper: the letters of the options that may take the next word as their
// value, and the number of operands before the command. ok is false if name is not a wrapper.
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

// valueFollows reports whether option is a cluster of short options whose last one takes the next word as its value.
func valueFollows(option, withValue string) bool {
	if len(option) < 2 || option[1] == '-' {
		return false
	}
	return strings.IndexAny(option[1:], withValue) == len(option)-2
}

// isAssignment reports whether word has the form NAME=value.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
