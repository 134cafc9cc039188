// Package environ reads environments as os.Environ returns them: lists of NAME=VALUE. It never changes them.
package environ

import (
	"path/filepath"
	"runtime"
	"strings"
)

// Get returns the value of the first variable of that name, as getenv(3) does, or an empty string.
func Get(list []string, name string) string {
	v, _ := Lookup(list, name)
	return v
}

// Lookup is like [Get] and reports whether the variable exists.
func Lookup(list []string, name string) (value string, ok bool) {
	for _, kv := range list {
		if len(kv) > len(name) && kv[len(name)] == '=' && kv[:len(name)] == name {
			return kv[len(name)+1:], true
		}
	}
	return "", false
}

// Name returns the part of an entry before its first =, or the whole entry if it has none.
func Name(kv string) string {
	name, _, _ := strings.Cut(kv, "=")
	return name
}

// Home returns the value of HOME, on Windows else of USERPROFILE. It is empty unless that is an absolute path.
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
