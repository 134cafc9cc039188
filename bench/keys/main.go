// Command keys measures pi's key decoder beside that of charmbracelet/ultraviolet and the parseKey of the native addon
// that the recorded vectors came from, on the same keys, in one run, and prints nanoseconds and ratios. See README.md.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"

	"pi/internal/keys"
)

// inputs are one key of each form.
var inputs = []struct{ name, bytes string }{
	{"plain byte", "a"},
	{"ctrl byte", "\x03"},
	{"alt and a letter", "\x1bx"},
	{"CSI letter", "\x1b[A"},
	{"SS3", "\x1bOP"},
	{"CSI ~", "\x1b[5~"},
	{"CSI 1;5 letter", "\x1b[1;5A"},
	{"CSI u", "\x1b[97;5u"},
	{"CSI u, all fields", "\x1b[1089:1057:99;5:1u"},
	{"modifyOtherKeys", "\x1b[27;5;49~"},
	{"unknown", "\x1b[99z"},
}

const rounds = 5 // of which the fastest counts

func main() {
	addon, err := measureAddon()
	if err != nil {
		fmt.Fprintf(os.Stderr, "keys: without the addon: %v\n", err)
	}
	fmt.Printf("%-18s %9s %9s %13s %9s %7s %7s\n", "ns a key", "pi", "matches", "ultraviolet", "addon", "uv/pi", "addon/pi")
	slower := 0
	for i, in := range inputs {
		data := []byte(in.bytes)
		var d uv.EventDecoder
		pi := best(func() { keys.Parse(data, false) })
		match := best(func() { keys.Matches(data, "ctrl+pageDown", false) })
		theirs := best(func() { d.Decode(data) })
		line := fmt.Sprintf("%-18s %9.1f %9.1f %13.1f", in.name, pi, match, theirs)
		if addon != nil {
			line += fmt.Sprintf(" %9.1f %6.1fx %7.1fx", addon[i], theirs/pi, addon[i]/pi)
		} else {
			line += fmt.Sprintf(" %9s %6.1fx", "-", theirs/pi)
		}
		fmt.Println(line)
		if theirs < pi || addon != nil && addon[i] < pi {
			slower++
		}
	}
	printStreams()
	if slower > 0 {
		fmt.Printf("pi was behind on %d of %d\n", slower, len(inputs))
		os.Exit(1)
	}
}

// printStreams measures whole streams, which the addon has no splitter for.
func printStreams() {
	fmt.Printf("\n%-18s %9s %23s %9s\n", "MB/s", "pi", "ultraviolet", "pi/uv")
	for _, in := range []struct{ name, unit string }{
		{"text", "The quick brown fox jumps over the lazy dog. "},
		{"sequences", "\x1b[A\x1b[1;5C\x1bOB\x1b[97;5u\x1b[3~\x1bx\x1b[<35;20;10M"},
	} {
		data := []byte(strings.Repeat(in.unit, 4096/len(in.unit)))
		r := keys.NewReader(keys.Options{})
		pi := best(func() {
			r.Feed(data)
			for {
				if _, ok := r.Next(); !ok {
					return
				}
			}
		})
		var d uv.EventDecoder
		theirs := best(func() {
			for rest := data; len(rest) > 0; {
				n, _ := d.Decode(rest)
				rest = rest[n:]
			}
		})
		size := float64(len(data)) * 1e3
		fmt.Printf("%-18s %9.1f %23.1f %8.1fx\n", in.name, size/pi, size/theirs, theirs/pi)
	}
}

// addonLibrary returns the directory that addon.sh has put the addon into. Like there, a relative PI_BENCH_DIR counts
// from the root of the repository.
func addonLibrary() (string, error) {
	dir := os.Getenv("PI_BENCH_DIR")
	if dir == "" {
		dir = ".bench"
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join("../..", dir)
	}
	library, err := filepath.Abs(filepath.Join(dir, "keys/node_modules/@oh-my-pi/pi-natives/native"))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(library); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s is not there (run ./addon.sh)", library)
	}
	return library, nil
}

// measureAddon returns the addon's nanoseconds for each input, measured by node in the same way.
func measureAddon() ([]float64, error) {
	library, err := addonLibrary()
	if err != nil {
		return nil, err
	}
	var question []string
	for _, in := range inputs {
		question = append(question, in.bytes)
	}
	arg, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	node := exec.Command("node", "addon.cjs", library, fmt.Sprint(rounds), string(arg))
	node.Stderr = os.Stderr
	out, err := node.Output()
	if err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	var ns []float64
	if err := json.Unmarshal(out, &ns); err != nil || len(ns) != len(inputs) {
		return nil, fmt.Errorf("node answered %q: %v", out, err)
	}
	return ns, nil
}
