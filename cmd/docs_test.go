package cmd

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	fencedCode   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	inlineCode   = regexp.MustCompile("`[^`\n]*`")
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headingLine  = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	helpMention  = regexp.MustCompile(`\bpi help ([a-z][a-z-]*(?:\.md)?)`)
	pageMention  = regexp.MustCompile(`\bdocs/([a-z/-]+\.md)\b`)
)

// TestDocLinks follows every relative link of the Markdown files, anchors included.
func TestDocLinks(t *testing.T) {
	followed := 0
	for file, text := range sources(t, ".md") {
		for _, m := range markdownLink.FindAllStringSubmatch(withoutCode(text), -1) {
			target, err := url.Parse(m[1])
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if target.IsAbs() {
				continue
			}
			followed++
			to := file
			if target.Path != "" {
				to = filepath.Join(filepath.Dir(file), target.Path)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s: %v", file, m[1], err)
			} else if target.Fragment != "" && !slices.Contains(anchors(t, to), target.Fragment) {
				t.Errorf("%s links to %s: no such heading", file, m[1])
			}
		}
	}
	if followed < 50 {
		t.Errorf("only %d links found", followed)
	}
}

// TestDocMentions looks up every page and `pi help TOPIC` that the documents and the program's texts mention.
func TestDocMentions(t *testing.T) {
	root := newRootCmd(&Env{})
	names := helpNames(root, nil)
	if len(names) < 20 {
		t.Fatalf("only %d commands and topics", len(names))
	}
	for _, ext := range []string{".md", ".go"} {
		for file, text := range sources(t, ext) {
			for _, m := range helpMention.FindAllStringSubmatch(text, -1) {
				if topic := strings.TrimSuffix(m[1], ".md"); !slices.Contains(names, topic) && !slices.Contains(names, topic+".md") {
					t.Errorf("%s mentions pi help %s, which does not exist", file, m[1])
				}
			}
		}
	}
	for file, text := range sources(t, ".go") {
		for _, m := range pageMention.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("../docs", m[1])); err != nil {
				t.Errorf("%s mentions docs/%s: %v", file, m[1], err)
			}
		}
	}
}

// sources reads the files of this repository with the extension, except for tests and their data.
func sources(t *testing.T, ext string) map[string]string {
	t.Helper()
	list := map[string]string{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata", "dist", ".bench"}, d.Name()):
			return filepath.SkipDir
		case filepath.Ext(name) != ext || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		list[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func withoutCode(page string) string {
	return inlineCode.ReplaceAllString(fencedCode.ReplaceAllString(page, ""), "")
}

// anchors returns the fragments that GitHub gives to the headings of a file: lower case, blanks as dashes, no punctuation.
func anchors(t *testing.T, file string) (list []string) {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range headingLine.FindAllSubmatch(fencedCode.ReplaceAll(page, nil), -1) {
		list = append(list, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, string(m[1])))
	}
	return list
}
