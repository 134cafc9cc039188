//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// rpcGroup: short commands over pi rpc, beside Shell.run of the native addon, which bench/keys/addon.sh installs; then
// the same work in one session after the other and in fifty at once.
func rpcGroup(l *lab) error {
	if err := rpcShort(l); err != nil {
		return err
	}
	return rpcSessions(l)
}

// rpcShort runs 1,000 commands on each side, in blocks by turns. Which processors the threads of two processes come to
// lie on makes more of a difference than their work, and lasts as long as they do: several pairs are started.
func rpcShort(l *lab) error {
	const pairs, block = 5, 20
	var ours, theirs []float64
	for range pairs {
		a, b, err := rpcPair(l, max(1000/pairs/block/l.scale, 1), block)
		if errors.Is(err, errNoAddon) {
			fmt.Println("without the addon:", err)
			return nil
		}
		if err != nil {
			return err
		}
		ours, theirs = append(ours, a...), append(theirs, b...)
	}
	l.row("bash true over pi rpc | Shell.run true of the addon in node", median(ours), median(theirs), 1.0, "µs")
	return nil
}

// rpcPair measures blocks of one process on each side.
func rpcPair(l *lab, blocks, block int) (ours, theirs []float64, err error) {
	pi, err := startPeer(l.pi, "rpc")
	if err != nil {
		return nil, nil, err
	}
	defer pi.close()
	addon, err := startAddon(l.dir)
	if err != nil {
		return nil, nil, err
	}
	defer addon.close()
	for i := range blocks + 2 {
		a, err := pi.commands(block)
		if err != nil {
			return nil, nil, err
		}
		began := time.Now()
		if _, err := addon.ask(fmt.Sprintf("%d true", block)); err != nil {
			return nil, nil, err
		}
		if b := time.Since(began); i > 1 { // the first blocks warm up
			ours, theirs = append(ours, micros(a)/float64(block)), append(theirs, micros(b)/float64(block))
		}
	}
	return ours, theirs, nil
}

// rpcSessions has fifty sessions do a piece of work each, first one after the other, then all at once.
func rpcSessions(l *lab) error {
	pi, err := startPeer(l.pi, "rpc")
	if err != nil {
		return err
	}
	defer pi.close()
	const sessions = 50
	request := func(i int) string {
		return fmt.Sprintf(`{"id":%d,"type":"bash","session":"s%d","command":"for ((i=0;i<50000;i++)); do :; done"}`, i, i)
	}
	for i := range sessions { // the shells are there
		if _, err := pi.ask(request(i)); err != nil {
			return err
		}
	}
	began := time.Now()
	for i := range sessions {
		if _, err := pi.ask(request(i)); err != nil {
			return err
		}
	}
	single := time.Since(began)
	began = time.Now()
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range sessions {
			_, _ = io.WriteString(pi.in, request(i)+"\n")
		}
	})
	for range sessions {
		if _, err := pi.out.ReadString('\n'); err != nil {
			return err
		}
	}
	wg.Wait()
	together := time.Since(began)
	// Perfect scaling is one over the number of processors; a fifth of it is for the shells' own coming and going.
	l.row(fmt.Sprintf("50 sessions at once | one after the other, %d processors", runtime.NumCPU()), micros(together)/1000, micros(single)/1000,
		1.25/float64(min(runtime.NumCPU(), sessions)), "ms")
	return nil
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// peer is a program that answers each line with one.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startPeer(name string, args ...string) (*peer, error) {
	p := &peer{cmd: exec.Command(name, args...)}
	p.cmd.Stderr = os.Stderr
	p.cmd.Env = append(os.Environ(), "PI_SHELL_SNAPSHOT=off") // the addon's shell knows no rc files either
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer stdin.Close()
	out, stdout, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	p.cmd.Stdin, p.cmd.Stdout = stdin, stdout
	// Blocking descriptors: who waits in read(2) is woken, and not one thread that wakes another.
	_, _ = in.Fd(), out.Fd()
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	return p, p.cmd.Start()
}

func (p *peer) ask(line string) (string, error) {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		return "", err
	}
	return p.out.ReadString('\n')
}

// commands runs `true` n times, one after the other.
func (p *peer) commands(n int) (time.Duration, error) {
	began := time.Now()
	for range n {
		answer, err := p.ask(`{"id":1,"type":"bash","command":"true"}`)
		if err != nil {
			return 0, err
		}
		if !strings.Contains(answer, `"exitCode":0`) {
			return 0, errors.New(answer)
		}
	}
	return time.Since(began), nil
}

func (p *peer) close() {
	p.in.Close()
	_ = p.cmd.Wait()
}

// addonProgram answers every line `COUNT COMMAND` once it has run the command so many times.
const addonProgram = `
const { Shell } = require(process.argv[1]);
const shell = new Shell({});
const lines = require('readline').createInterface({ input: process.stdin });
(async () => {
  for await (const line of lines) {
    const at = line.indexOf(' '), n = +line.slice(0, at), command = line.slice(at + 1);
    for (let i = 0; i < n; i++) await shell.run({ command }, () => {});
    console.log('done');
  }
})();
`

var errNoAddon = errors.New("it is not installed, see bench/keys/addon.sh")

// startAddon starts node with the addon's build for this machine, the one for modern processors if it loads.
func startAddon(dir string) (*peer, error) {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	native := filepath.Join(dir, "keys/node_modules/@oh-my-pi/pi-natives/native", "pi_natives."+runtime.GOOS+"-"+arch)
	for _, build := range []string{"-modern", "-baseline", ""} {
		file := native + build + ".node"
		if _, err := os.Stat(file); err != nil {
			continue
		}
		p, err := startPeer("node", "-e", addonProgram, file)
		if err != nil {
			return nil, err
		}
		if _, err := p.ask("1 true"); err == nil {
			return p, nil
		}
		p.close()
	}
	return nil, errNoAddon
}
