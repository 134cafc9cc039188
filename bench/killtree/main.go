//go:build linux

// Command killtree measures how long it takes to end a tree of some 2,000 processes, from the request until none of
// them is alive: by a call of pi's own KillTree, by a call of a native addon's killTree in a node that is already
// running, and by the whole program `pi killtree`. The ways take turns, so that all see the same machine.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"pi/internal/ps"
)

func main() {
	var o options
	flag.IntVar(&o.size, "n", 2000, "processes in the tree")
	flag.IntVar(&o.rounds, "rounds", 7, "rounds of each way")
	flag.StringVar(&o.addon, "addon", "", "the addon's .node file; empty: leave it out")
	flag.StringVar(&o.pi, "pi", "", "the pi binary; empty: leave it out")
	serve := flag.Bool("serve", false, "")
	flag.Parse()
	if *serve {
		serveKills()
		return
	}
	if err := o.run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "killtree:", err)
		os.Exit(1)
	}
}

type options struct {
	size, rounds int
	addon, pi    string
}

// A way ends the tree under a pid; it returns once the request is answered.
type way struct {
	name  string
	end   func(pid int) error
	times []time.Duration
}

func (o options) run(w io.Writer) error {
	me, err := os.Executable()
	if err != nil {
		return err
	}
	ask, stop, err := startServer(me, "-serve")
	if err != nil {
		return err
	}
	defer stop()
	ways := []*way{{name: "pi, in process", end: ask}}
	if o.addon != "" {
		ask, stop, err := startServer("node", "-e", nodeServer, o.addon)
		if err != nil {
			return err
		}
		defer stop()
		ways = append(ways, &way{name: "addon, in node", end: ask})
	}
	if o.pi != "" {
		ways = append(ways, &way{name: "pi killtree", end: func(pid int) error {
			out, err := exec.Command(o.pi, "killtree", "--signal", "KILL", fmt.Sprint(pid)).CombinedOutput()
			if err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
			return nil
		}})
	}
	for range o.rounds {
		for _, m := range ways {
			d, err := once(o.size, m.end)
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			m.times = append(m.times, d)
		}
	}
	for _, m := range ways {
		slices.Sort(m.times)
		fmt.Fprintf(w, "%-16s median %6.1f ms   best %6.1f   worst %6.1f   no survivor in %d rounds\n",
			m.name, ms(m.times[len(m.times)/2]), ms(m.times[0]), ms(m.times[len(m.times)-1]), len(m.times))
	}
	if len(ways) > 1 && o.addon != "" {
		a, b := ways[0].times[len(ways[0].times)/2], ways[1].times[len(ways[1].times)/2]
		fmt.Fprintf(w, "killtree ratio   %.2f (pi / addon, in-process calls; at most 1.00 wanted)\n", a.Seconds()/b.Seconds())
	}
	return nil
}

func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }

// once builds a tree of two levels, ends it, and waits for every single process of it to be dead.
func once(size int, end func(pid int) error) (time.Duration, error) {
	mids := max(1, size/100)
	leaves := size/mids - 1
	text := fmt.Sprintf(`for i in $(seq %d); do sh -c 'for j in $(seq %d); do sleep 1000 & done; wait' & done; wait`, mids, leaves)
	root := exec.Command("sh", "-c", text)
	if err := root.Start(); err != nil {
		return 0, err
	}
	defer func() { _ = root.Wait() }()
	fds, err := open(root.Process.Pid, mids*(leaves+1)+1)
	defer closeAll(fds)
	if err != nil {
		ps.KillTree(root.Process.Pid, syscall.SIGKILL)
		return 0, err
	}
	began := time.Now()
	if err := end(root.Process.Pid); err != nil {
		return 0, err
	}
	if err := allDead(fds); err != nil {
		return 0, err
	}
	return time.Since(began), nil
}

// open waits for the tree to be complete and returns a pidfd of each process.
func open(root, want int) (fds []int, err error) {
	for limit := time.Now().Add(time.Minute); ; time.Sleep(300 * time.Millisecond) {
		pids := ps.Descendants(root)
		if len(pids)+1 < want {
			if time.Now().After(limit) {
				return nil, fmt.Errorf("only %d processes came up", len(pids)+1)
			}
			continue
		}
		if !asleep(pids) {
			continue // the last ones are on their way from fork to exec
		}
		for _, pid := range append(pids, root) {
			fd, err := unix.PidfdOpen(pid, 0)
			if err != nil {
				return fds, fmt.Errorf("pidfd of %d: %w", pid, err)
			}
			fds = append(fds, fd)
		}
		return fds, nil
	}
}

// asleep reports whether all have settled, so that they do not compete for the processors.
func asleep(pids []int) bool {
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || !strings.Contains(string(stat), ") S ") || strings.Contains(string(stat), "(bash)") {
			return false
		}
	}
	return true
}

func allDead(fds []int) error {
	for _, fd := range fds {
		p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		for {
			n, err := unix.Poll(p, 10_000)
			if err == unix.EINTR {
				continue
			}
			if err != nil || n == 0 {
				return fmt.Errorf("a process is still alive after 10 s: %w", err)
			}
			break
		}
	}
	return nil
}

func closeAll(fds []int) {
	for _, fd := range fds {
		_ = unix.Close(fd)
	}
}

// nodeServer loads the addon given as argument, and ends one tree a line.
const nodeServer = `const n = require(process.argv[1]);
require("readline").createInterface({input: process.stdin}).on("line", l => console.log(n.killTree(Number(l), 9)));
console.log("ready");`

// serveKills is the same for pi. Both sides are processes that have been idle, as the scheduler sees it.
func serveKills() {
	fmt.Println("ready")
	for sc := bufio.NewScanner(os.Stdin); sc.Scan(); {
		pid, err := strconv.Atoi(sc.Text())
		if err != nil {
			return
		}
		fmt.Println(ps.KillTree(pid, syscall.SIGKILL))
	}
}

// startServer runs a program that says it is ready, and then ends one tree for each pid it reads.
func startServer(program string, args ...string) (ask func(pid int) error, stop func(), err error) {
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	r := bufio.NewReader(out)
	if line, err := r.ReadString('\n'); strings.TrimSpace(line) != "ready" {
		return nil, nil, fmt.Errorf("%s did not start: %q %v", program, line, err)
	}
	ask = func(pid int) error {
		if _, err := fmt.Fprintln(in, pid); err != nil {
			return err
		}
		_, err := r.ReadString('\n')
		return err
	}
	return ask, func() { in.Close(); _ = cmd.Wait() }, nil
}
