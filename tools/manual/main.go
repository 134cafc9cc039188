// Command manual generates what pi's users read: the pages that `pi help TOPIC` shows, the man pages and the completions.
// It is not part of the pi binary.
//
//	manual pages -docs docs -o internal/manual/pages.json.gz
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := generate(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

func generate(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: manual pages [flags]")
	}
	f := flag.NewFlagSet(args[0], flag.ContinueOnError)
	docs := f.String("docs", "docs", "`DIR` of the pages")
	out := f.String("o", "", "`FILE` or directory to write")
	if err := f.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "pages":
		return writePages(*docs, *out)
	}
	return fmt.Errorf("unknown verb %q", args[0])
}
