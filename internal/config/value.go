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

// pathBase is what `~/` and relative paths in a value are resolved against.
type pathBase struct {
	home   string // home directory, absolute; empty: unknown
	inFile bool   // the value comes from a file, where relative paths are errors
}

// parseScalar parses text as a value of the key's kind, which must not be kindList, kindRules or kindMap. The error
// continues a sentence that begins with the text.
func (k Key) parseScalar(text string, base pathBase) (any, error) {
	switch k.kind {
	case kindBool:
		return parseBool(text)
	case kindChoice:
		if !slices.Contains(k.choices, text) {
			return nil, errors.New("is not valid")
		}
		return text, nil
	case kindTime:
		return parsePositiveTime(text)
	case kindSize:
		return k.parseSize(text)
	case kindPath:
		return k.parsePath(text, base)
	}
	return text, noNUL(text)
}

// parseBool parses the words that people and YAML 1.1 use for a boolean, in any case.
func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	}
	return false, errors.New("is not a boolean")
}

// ParseTimeout parses a timeout of the command line: seconds, fractions allowed ("300", "1.5"), or a Go duration ("90s",
// "1h30m"). Zero is valid, for a run to clamp; the error names the text.
func ParseTimeout(text string) (time.Duration, error) {
	number, negative := strings.CutPrefix(text, "-")
	d, err := parseTime(number)
	switch {
	case errors.Is(err, errNotTime):
		return 0, fmt.Errorf("timeout %q is neither seconds (90, 1.5) nor a duration (2m30s)", text)
	case err != nil:
		return 0, fmt.Errorf("timeout %q %w", text, err)
	case negative || d < 0:
		return 0, fmt.Errorf("timeout %q is negative", text)
	}
	return d, nil
}

// parsePositiveTime parses the time of a setting: as ParseTimeout, but greater than 0. The error lacks the text.
func parsePositiveTime(text string) (time.Duration, error) {
	d, err := parseTime(text)
	if err != nil {
		return 0, err
	}
	if d <= 0 {
		return 0, errors.New("is not greater than 0")
	}
	return d, nil
}

// errNotTime reports a text in neither form of a time.
var errNotTime = errors.New("is not a duration")

// parseTime reads seconds or a duration, at most the 292 years of a time.Duration.
func parseTime(text string) (time.Duration, error) {
	if !isDecimal(text) {
		d, err := time.ParseDuration(text)
		if err != nil {
			return 0, errNotTime
		}
		return d, nil
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || seconds >= math.MaxInt64/float64(time.Second) {
		return 0, errors.New("is too long")
	}
	return time.Duration(math.Round(seconds * float64(time.Second))), nil
}

// isDecimal reports whether text is digits with at most one point: no sign, exponent, hexadecimal or infinity.
func isDecimal(text string) bool {
	digits := strings.Replace(text, ".", "", 1)
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// unitFactor returns the bytes in a unit of ParseSize. A letter alone is a power of 1024, as in the GNU tools.
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
		return 0, errors.New("is not a size")
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

func (k Key) parseSize(text string) (int64, error) {
	n, err := ParseSize(text)
	switch {
	case err != nil:
		return 0, err
	case n == 0 && k.allowZero:
		return 0, nil
	case n < k.min:
		return 0, errors.New("is too small")
	case n > k.max:
		return 0, errors.New("is too large")
	}
	return n, nil
}

// parsePath expands `~/` and makes a relative path absolute. In a file a relative path is an error, since the file is
// read from every working directory.
func (k Key) parsePath(text string, base pathBase) (string, error) {
	if err := noNUL(text); err != nil {
		return "", err
	}
	switch {
	case text == "" || filepath.IsAbs(text) || k.bareName && !strings.ContainsAny(text, `/\`):
		return text, nil
	case text == "~" || strings.HasPrefix(text, "~/"):
		if base.home == "" {
			return "", errors.New("needs a home directory, and HOME is not set")
		}
		return filepath.Join(base.home, text[1:]), nil
	case base.inFile:
		return "", errors.New("is a relative path")
	}
	return filepath.Abs(text)
}

func noNUL(text string) error {
	if i := strings.IndexByte(text, 0); i >= 0 {
		return fmt.Errorf("contains a NUL byte at offset %d", i)
	}
	return nil
}

// checkVariable returns an error if name=value is not valid in an environment.
func checkVariable(name, value string) error {
	if !isVariableName(name) {
		return fmt.Errorf("%q is not a valid variable name: use letters, digits and _, and do not start with a digit", name)
	}
	return noNUL(value)
}

func isVariableName(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}
