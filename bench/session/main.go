//go:build unix

// Command session measures a run in pi's persistent shell beside Shell.run of the native addon (npm
// @oh-my-pi/pi-natives, in node): a built-in and an external command. The two take turns in blocks, so that a machine
// that slows down slows both; the median of the blocks' ratios counts.
//
//	sh bench/keys/addon.sh && go run ./bench/session
//	go run ./bench/session -check
//
// Without the addon pi's own times are printed.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"pi/internal/ps"
	"pi/internal/shell"
	shellsession "pi/internal/shell/session"
)

// rows are the commands, with the most that pi may take in terms of the addon.
var rows = []struct {
	command string
	block   int // runs a block
	bound   float64
}{
	{"true", 100, 0.6},
	{"/bin/true", 5, 1.5},
}

func main() {
	if handled, code := ps.RunHidden(os.Args[1:]); handled {
		os.Exit(code)
	}
	kinds := flag.String("shell", "bash", "the shell to `use`")
	blocks := flag.Int("blocks", 25, "`blocks` a row")
	only := flag.String("only", "", "measure this `command` alone")
	check := flag.Bool("check", false, "exit 1 when a row is over its bound")
	flag.Parse()
	over, err := run(*kinds, *only, *blocks)
	if err != nil {
		fmt.Fprintln(os.Stderr, "session:", err)
		os.Exit(1)
	}
	if over && *check {
		os.Exit(1)
	}
}

func run(name, only string, blocks int) (over bool, err error) {
	sh, err := shell.Choose(name, os.Environ())
	if err != nil {
		return false, err
	}
	s := shellsession.New(shellsession.Spec{Shell: sh, Dir: "/", Env: os.Environ()})
	defer s.Close()
	peer, err := startAddon()
	if err != nil {
		fmt.Fprintln(os.Stderr, "session: without the addon:", err)
	} else {
		defer peer.close()
	}
	for _, row := range rows {
		if only != "" && only != row.command {
			continue
		}
		var mine, its, ratios []float64
		for i := range blocks + 1 {
			a, err := measure(s, row.command, row.block)
			if err != nil {
				return false, err
			}
			b := 0.0
			if peer != nil {
				if b, err = peer.measure(row.command, row.block); err != nil {
					return false, err
				}
			}
			if i > 0 { // the first block warms up
				mine, its, ratios = append(mine, a), append(its, b), append(ratios, a/b)
			}
		}
		if peer == nil {
			fmt.Printf("%-10s %-5s %8.1f µs\n", row.command, name, median(mine))
			continue
		}
		r := median(ratios)
		fmt.Printf("%-10s %-5s %8.1f µs   addon %8.1f µs   ratio %.2f (bound %.1f); best blocks %.1f and %.1f, ratio %.2f\n", row.command, name,
			median(mine), median(its), r, row.bound, slices.Min(mine), slices.Min(its), slices.Min(mine)/slices.Min(its))
		over = over || r > row.bound
	}
	return over, nil
}

// measure returns microseconds a run.
func measure(s *shellsession.Session, command string, n int) (float64, error) {
	began := time.Now()
	for range n {
		r, err := s.Run(context.Background(), shellsession.Options{Command: command, Timeout: time.Minute}, func([]byte) {})
		if err != nil {
			return 0, err
		}
		if r.ExitCode != 0 {
			return 0, fmt.Errorf("%s: %+v", command, r)
		}
	}
	return float64(time.Since(began).Nanoseconds()) / 1e3 / float64(n), nil
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

// addon is a node process that runs blocks on demand.
type addon struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// program answers every line `COUNT COMMAND` with the nanoseconds that so many runs took.
const program = `
const file = (build) => require('path').join(process.argv[1], "pi_natives." + process.platform + "-" + process.arch + build + ".node");
const builds = process.arch === 'x64' ? ['-modern', '-baseline'] : [''];
const load = () => { // the build for modern processors, where it loads
  for (const build of builds) try { return require(file(build)); } catch (e) { if (build === builds.at(-1)) throw e; }
};
const { Shell } = load();
const shell = new Shell({});
const lines = require('readline').createInterface({ input: process.stdin });
(async () => {
  for await (const line of lines) {
    const at = line.indexOf(' '), n = +line.slice(0, at), command = line.slice(at + 1);
    const began = process.hrtime.bigint();
    for (let i = 0; i < n; i++) await shell.run({ command }, () => {});
    console.log(String(process.hrtime.bigint() - began));
  }
})();
`

func startAddon() (*addon, error) {
	dir := os.Getenv("PI_BENCH_DIR")
	if dir == "" {
		dir = ".bench"
	}
	native, err := filepath.Abs(filepath.Join(dir, "keys/node_modules/@oh-my-pi/pi-natives/native"))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(native); err != nil {
		return nil, errors.Join(errors.New("not installed, see bench/keys/addon.sh"), err)
	}
	a := &addon{cmd: exec.Command("node", "-e", program, native)}
	a.cmd.Stderr = os.Stderr
	if a.in, err = a.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	a.out = bufio.NewReader(out)
	return a, a.cmd.Start()
}

func (a *addon) measure(command string, n int) (float64, error) {
	if _, err := fmt.Fprintf(a.in, "%d %s\n", n, command); err != nil {
		return 0, err
	}
	var ns float64
	if _, err := fmt.Fscanln(a.out, &ns); err != nil {
		return 0, err
	}
	return ns / 1e3 / float64(n), nil
}

func (a *addon) close() {
	a.in.Close()
	_ = a.cmd.Wait()
}
