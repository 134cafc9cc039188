//go:build unix

// Command compare runs pi and its peers side by side and prints ratios. The two sides of a row take turns, so that a
// machine that slows down slows both; medians are compared, never single times. Absolute times say nothing elsewhere.
//
//	make bench-compare
//	go run ./bench/compare -pi ./pi -only start,cat -check
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	pi := flag.String("pi", "./pi", "the pi `binary` to measure")
	dir := flag.String("dir", env("PI_BENCH_DIR", ".bench"), "scratch `directory`; needs 4 GiB")
	only := flag.String("only", "", "comma-separated `groups`: start, snapshot, session, cat, memory, kill, keys, rpc, pty, overlay (default all)")
	check := flag.Bool("check", false, "exit 1 when a row is over its bound")
	scale := flag.Int("scale", 1, "divide sizes and runs by `N`, for a quick look")
	flag.Parse()
	if err := run(*pi, *dir, *only, *scale, *check); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func env(name, fallback string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return fallback
}

// lab is where the rows are measured.
type lab struct {
	pi, dir string
	scale   int
	over    []string // rows over their bound
}

func run(pi, dir, only string, scale int, check bool) error {
	l := &lab{scale: max(scale, 1)}
	var err error
	if l.pi, err = filepath.Abs(pi); err != nil {
		return err
	}
	if l.dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(l.dir, 0o755); err != nil {
		return err
	}
	for _, g := range []struct {
		name string
		do   func(*lab) error
	}{{"start", start}, {"snapshot", snapshot}, {"session", session}, {"cat", cat}, {"memory", memory}, {"kill", kill}, {"keys", keys}, {"rpc", rpcGroup}, {"pty", headless}, {"overlay", overlay}} {
		if only != "" && !slices.Contains(strings.Split(only, ","), g.name) {
			continue
		}
		fmt.Printf("== %s\n", g.name)
		if err := g.do(l); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
	}
	if check && len(l.over) > 0 {
		return fmt.Errorf("over their bound: %s", strings.Join(l.over, "; "))
	}
	return nil
}

// row prints one comparison and remembers whether it was over its bound; a bound of 0 is none.
func (l *lab) row(name string, ours, theirs, bound float64, unit string) {
	verdict := ""
	if ratio := ours / theirs; bound > 0 {
		verdict = fmt.Sprintf("bound %.2f  ok", bound)
		if ratio > bound {
			verdict = fmt.Sprintf("bound %.2f  OVER", bound)
			l.over = append(l.over, name)
		}
	}
	fmt.Printf("%-58s %10.2f %10.2f %s  ratio %.2f  %s\n", name, ours, theirs, unit, ours/theirs, verdict)
}
