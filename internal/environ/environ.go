// Package environ reads environments in the form that os.Environ gives: a list of NAME=VALUE.
package environ

import (
	"path/filepath"
	"runtime"
	"strings"
)

// Get is the value of the first variable of that name, as getenv(3) finds it, or empty.
func Get(list []string, name string) string {
	v, _ := Lookup(list, name)
	return v
}

// Lookup is like [Get] and tells whether there is such a variable.
func Lookup(list []string, name string) (value string, ok bool) {
	for _, kv := range list {
		if len(kv) > len(name) && kv[len(name)] == '=' && kv[:len(name)] == name {
			return kv[len(name)+1:], true
		}
	}
	return "", false
}

// Name is the part of an entry before its first '='; an entry without one is its own name.
func Name(kv string) string {
	name, _, _ := strings.Cut(kv, "=")
	return name
}

// Home is the user's home directory as an absolute path, or empty.
func Home(list []string) string {
	home := Get(list, "HOME")
	if home == "" && runtime.GOOS == "windows" {
		home = Get(list, "USERPROFILE")
	}
	if !filepath.IsAbs(home) {
		return ""
	}
	return home
}
