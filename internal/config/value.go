package config

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// place is where a value was written, as far as its meaning depends on it.
type place struct {
	home string // absolute; empty: unknown
	file bool   // in a file, so relative paths have no anchor
}

// scalar reads text as a value of the key's kind; kindList, kindRules and kindMap are no scalars.
func (k Key) scalar(text string, at place) (any, error) {
	switch k.kind {
	case kindBool:
		return parseBool(text)
	case kindChoice:
		if !slices.Contains(k.choices, text) {
			return nil, errors.New("is none of these")
		}
		return text, nil
	case kindTime:
		return ParseTimeout(text)
	case kindSize:
		return k.size(text)
	case kindPath:
		return k.path(text, at)
	}
	return text, noNUL(text)
}

// parseBool reads the words that people and YAML use for a switch.
func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	}
	return false, errors.New("is neither")
}

// ParseTimeout reads a timeout: seconds, fractions allowed ("300", "1.5"), or a duration with units ("90s", "1h30m").
// The result is above zero; at most the 292 years of a time.Duration.
func ParseTimeout(text string) (time.Duration, error) {
	d, err := parseTime(text)
	if err != nil {
		return 0, err
	}
	if d <= 0 {
		return 0, errors.New("is not above 0")
	}
	return d, nil
}

func parseTime(text string) (time.Duration, error) {
	if !isDecimal(text) {
		d, err := time.ParseDuration(text)
		if err != nil {
			return 0, errors.New("is no time")
		}
		return d, nil
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || seconds >= math.MaxInt64/float64(time.Second) {
		return 0, errors.New("is too long")
	}
	return time.Duration(math.Round(seconds * float64(time.Second))), nil
}

// isDecimal reports digits with at most one point and at least one digit: no sign, exponent, hex or infinity.
func isDecimal(text string) bool {
	digits := strings.Replace(text, ".", "", 1)
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// units of ParseSize. A lone letter counts in 1024, as in the GNU tools.
func unitFactor(unit string) (int64, bool) {
	switch strings.ToLower(unit) {
	case "", "b":
		return 1, true
	case "k", "kib":
		return 1 << 10, true
	case "m", "mib":
		return 1 << 20, true
	case "g", "gib":
		return 1 << 30, true
	case "t", "tib":
		return 1 << 40, true
	case "kb":
		return 1e3, true
	case "mb":
		return 1e6, true
	case "gb":
		return 1e9, true
	case "tb":
		return 1e12, true
	}
	return 0, false
}

// ParseSize reads a number of bytes: "51200", "256MiB", "10 GiB", "1.5G", "64kB". KiB, K and so on count in 1024, kB
// and so on in 1000; case does not count. A fraction of a byte is dropped. The result is 0 or more.
func ParseSize(text string) (int64, error) {
	number := strings.TrimRight(text, "bBkKmMgGtTiI")
	factor, ok := unitFactor(text[len(number):])
	number = strings.TrimSuffix(number, " ")
	if !ok || !isDecimal(number) {
		return 0, errors.New("is no size")
	}
	if n, err := strconv.ParseInt(number, 10, 64); err == nil && n <= math.MaxInt64/factor {
		return n * factor, nil
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || f*float64(factor) >= math.MaxInt64 {
		return 0, errors.New("is too large")
	}
	return int64(f * float64(factor)), nil
}

// FormatSize writes n bytes the shortest way that ParseSize reads back as n: "256MiB", "51200".
func FormatSize(n int64) string {
	for _, unit := range []struct {
		name  string
		shift int
	}{{"TiB", 40}, {"GiB", 30}, {"MiB", 20}} {
		if n != 0 && n&(1<<unit.shift-1) == 0 {
			return strconv.FormatInt(n>>unit.shift, 10) + unit.name
		}
	}
	return strconv.FormatInt(n, 10)
}

func (k Key) size(text string) (int64, error) {
	n, err := ParseSize(text)
	switch {
	case err != nil:
		return 0, err
	case n == 0 && k.orZero:
		return 0, nil
	case n < k.min:
		return 0, errors.New("is too small")
	case n > k.max:
		return 0, errors.New("is too large")
	}
	return n, nil
}

// path expands `~/` and anchors a relative path to the working directory; in a file it has no anchor, since a file is
// read from everywhere.
func (k Key) path(text string, at place) (string, error) {
	if err := noNUL(text); err != nil {
		return "", err
	}
	switch {
	case text == "" || filepath.IsAbs(text) || k.bare && !strings.ContainsAny(text, `/\`):
		return text, nil
	case text == "~" || strings.HasPrefix(text, "~/"):
		if at.home == "" {
			return "", errors.New("needs a home directory, and HOME is not set")
		}
		return filepath.Join(at.home, text[1:]), nil
	case at.file:
		return "", errors.New("is a relative path")
	}
	return filepath.Abs(text)
}

func noNUL(text string) error {
	if i := strings.IndexByte(text, 0); i >= 0 {
		return fmt.Errorf("holds a NUL byte at offset %d", i)
	}
	return nil
}

// checkVariable reports why name=value cannot stand in an environment.
func checkVariable(name, value string) error {
	if !isVariable(name) {
		return fmt.Errorf("%q is no variable name: letters, digits and _ are allowed, a digit not first", name)
	}
	return noNUL(value)
}

func isVariable(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}
