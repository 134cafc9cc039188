package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks checks that each relative link in the documentation names a file, and its anchor a heading of that file.
func TestLinks(t *testing.T) {
	const root = "../.."
	pages := []string{filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(name string, _ fs.DirEntry, err error) error {
		if filepath.Ext(name) == ".md" {
			pages = append(pages, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		for _, target := range links(readPage(t, page)) {
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			path, anchor, _ := strings.Cut(target, "#")
			file := page
			if path != "" {
				file = filepath.Join(filepath.Dir(page), path)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %s: no such file", page, target)
			} else if anchor != "" && !anchors(readPage(t, file))[anchor] {
				t.Errorf("%s: %s: no such heading", page, target)
			}
		}
	}
}

func TestAnchors(t *testing.T) {
	got := anchors(parse("# A `pi run`, in-line\n## x_y & z\n## Twice\n## Twice"))
	for _, want := range []string{"a-pi-run-in-line", "x_y--z", "twice", "twice-1"} {
		if !got[want] {
			t.Errorf("no anchor %q in %v", want, got)
		}
	}
}

func readPage(t *testing.T, name string) []block {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return parse(string(text))
}

// links returns the targets of all links outside code.
func links(blocks []block) (targets []string) {
	for _, b := range blocks {
		texts := []string{b.text}
		for _, row := range b.rows {
			texts = append(texts, row...)
		}
		for _, text := range texts {
			for _, m := range link.FindAllStringSubmatch(text, -1) {
				targets = append(targets, m[1])
			}
		}
	}
	return targets
}

// anchors returns the anchors that GitHub gives the headings of a page.
func anchors(blocks []block) map[string]bool {
	seen := map[string]bool{}
	for _, b := range blocks {
		if b.kind != heading {
			continue
		}
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, unmarked(b.text, false))
		base := anchor
		for n := 1; seen[anchor]; n++ {
			anchor = base + "-" + strconv.Itoa(n)
		}
		seen[anchor] = true
	}
	return seen
}
