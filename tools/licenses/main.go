// Command licenses writes the notices that ship with pi: pi's own licence and the licence of every module that is linked
// on at least one of the platforms pi is built for. Run it with `make generate`; the test beside it fails when the
// result that is checked in is out of date.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// platforms are those of PLATFORMS in the Makefile; a test compares the two lists.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	root := flag.String("root", ".", "`DIR` of pi's go.mod")
	out := flag.String("o", "internal/licenses/licenses.txt.gz", "`FILE` to write")
	flag.Parse()
	text, err := notices(*root)
	if err == nil {
		err = write(*out, text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func write(name, text string) error {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// notices returns the whole text for the module in directory root.
func notices(root string) (string, error) {
	own, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return "", err
	}
	modules, err := linked(root)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "pi is distributed under the following licence.\n\n%s\n", own)
	b.WriteString("It contains the Go standard library and the modules below, each under its own licence.\n")
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	goLicence, err := licence(strings.TrimSpace(string(goroot)))
	if err != nil {
		return "", err
	}
	section(&b, "Go standard library and runtime (https://go.dev)", goLicence)
	for _, m := range modules {
		text, err := m.notice()
		if err != nil {
			return "", err
		}
		section(&b, m.Path+" "+m.Version, text)
	}
	return b.String(), nil
}

func section(b *strings.Builder, title, text string) {
	fmt.Fprintf(b, "\n%s\n%s\n\n%s\n", strings.Repeat("-", 78), title, strings.TrimSpace(text))
}

// module is what `go list` reports of one.
type module struct {
	Path, Version, Dir string
	Main               bool
	Replace            *module
}

func (m module) notice() (string, error) {
	if m.Replace == nil {
		return licence(m.Dir)
	}
	if m.Replace.Version != "" {
		return licence(m.Replace.Dir)
	}
	// A directory of this repository stands in for the module: the code is pi's own.
	if text, err := licence(m.Replace.Dir); err == nil {
		return text, nil
	}
	return fmt.Sprintf("Not linked: %s in pi's repository stands in for it, under pi's licence.", m.Replace.Path), nil
}

// linked lists the modules other than pi that are linked on any platform, sorted by path.
func linked(root string) ([]module, error) {
	all := map[string]module{}
	for _, p := range platforms {
		goos, goarch, _ := strings.Cut(p, "/")
		c := exec.Command("go", "list", "-deps", "-json=Module", ".")
		c.Dir = root
		c.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS=")
		out, err := c.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", p, err)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var pkg struct{ Module *module }
			if err := d.Decode(&pkg); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if m := pkg.Module; m != nil && !m.Main {
				all[m.Path] = *m
			}
		}
	}
	list := make([]module, 0, len(all))
	for _, m := range all {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// licence returns the licence files of a module's directory, each with the notices that it requires to be kept.
func licence(dir string) (string, error) {
	var texts []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		name := strings.ToUpper(strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".txt"), ".md"))
		if e.IsDir() || !slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"}, name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	if len(texts) == 0 {
		return "", fmt.Errorf("%s has no licence file", dir)
	}
	return strings.Join(texts, "\n\n"), nil
}
