// Command manual generates what pi's users read: the pages that `pi help TOPIC` shows, and a directory share/ with man
// pages, completions and licences, laid out as below PREFIX/share. It is not part of the pi binary.
//
//	manual pages -o internal/manual/pages.json.gz
//	manual share -name pi -version 1.2.3 -date 2026-01-31 -o dist/share/pi
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"pi/internal/licenses"
)

func main() {
	if err := generate(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

func generate(args []string) error {
	if len(args) == 0 {
		return errors.New("usage: manual pages|share [flags]")
	}
	f := flag.NewFlagSet(args[0], flag.ContinueOnError)
	repo := f.String("repo", ".", "`DIR` of pi's go.mod")
	out := f.String("o", "", "`FILE` or directory to write")
	var m book
	f.StringVar(&m.name, "name", "pi", "`NAME` the program is installed under")
	f.StringVar(&m.version, "version", "0.1.0", "`VERSION` of the program")
	f.StringVar(&m.date, "date", time.Now().Format(time.DateOnly), "`DATE` of the man pages")
	if err := f.Parse(args[1:]); err != nil {
		return err
	}
	docs := filepath.Join(*repo, "docs")
	switch {
	case *out == "":
		return errors.New("-o is missing")
	case args[0] == "pages":
		return writePages(docs, *out)
	case args[0] == "share":
		return writeShare(m, *repo, docs, *out)
	}
	return fmt.Errorf("unknown verb %q", args[0])
}

// writeShare writes the whole of share/ anew.
func writeShare(m book, repo, docs, share string) error {
	if err := os.RemoveAll(share); err != nil {
		return err
	}
	all, err := sources(docs)
	if err != nil {
		return err
	}
	if err := m.writeMan(filepath.Join(share, "man"), all); err != nil {
		return err
	}
	if err := writeCompletions(share, m.name); err != nil {
		return err
	}
	text, err := licenses.Text()
	if err != nil {
		return err
	}
	own, err := os.ReadFile(filepath.Join(repo, "LICENSE"))
	if err != nil {
		return err
	}
	doc := filepath.Join(share, "doc", m.name)
	if err := os.WriteFile(filepath.Join(doc, "LICENSE"), own, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(doc, "licenses.txt"), []byte(text), 0o644)
}
