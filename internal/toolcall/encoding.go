package toolcall

import (
	"encoding/base64"
	"fmt"
	"maps"
	"unicode/utf8"
)

// Base64 is the encoding besides UTF-8, wherever a message names one.
const Base64 = "base64"

// CheckEncoding returns an error if name is not an encoding that messages may name.
func CheckEncoding(name string) error {
	if name != "" && name != "utf8" && name != Base64 {
		return fmt.Errorf("encoding: %q is neither utf8 nor base64", name)
	}
	return nil
}

// decode converts base64 arguments to plain ones.
func (a *Args) decode() error {
	if err := CheckEncoding(a.Encoding); err != nil || a.Encoding != Base64 {
		return err
	}
	return a.convert(func(s string) (string, error) {
		text, err := base64.StdEncoding.DecodeString(s)
		return string(text), err
	})
}

// encode converts arguments to base64 if JSON cannot express them as they are.
func (a Args) encode() Args {
	plain := true
	_ = a.convert(func(s string) (string, error) {
		plain = plain && utf8.ValidString(s)
		return s, nil
	})
	if !plain {
		a.Encoding = Base64
		_ = a.convert(func(s string) (string, error) { return base64.StdEncoding.EncodeToString([]byte(s)), nil })
	}
	return a
}

// convert replaces every argument that may hold any byte. The caller's map stays as it is.
func (a *Args) convert(f func(string) (string, error)) error {
	for _, x := range []struct {
		name string
		text *string
	}{{"command", &a.Command}, {"cwd", &a.Cwd}, {"sessionCwd", &a.SessionCwd}} {
		text, err := f(*x.text)
		if err != nil {
			return fmt.Errorf("%s: %w", x.name, err)
		}
		*x.text = text
	}
	a.Env = maps.Clone(a.Env)
	for name, value := range a.Env {
		value, err := f(value)
		if err != nil {
			return fmt.Errorf("env: %s: %w", name, err)
		}
		a.Env[name] = value
	}
	return nil
}
