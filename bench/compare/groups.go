//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// start: what one call costs.
func start(l *lab) error {
	runs := max(200/l.scale, 10)
	for _, r := range []struct {
		name  string
		ours  []string
		bound float64
	}{
		{"pi run -- true | timeout 5 bash -c true", []string{l.pi, "run", "--", "true"}, 2.0},
		{"pi run -o json -- true | timeout 5 bash -c true", []string{l.pi, "run", "-o", "json", "--", "true"}, 0},
		{"pi version | timeout 5 bash -c true", []string{l.pi, "version"}, 0},
	} {
		a, b, err := versus(side{argv: r.ours}, side{argv: []string{"timeout", "5", "bash", "-c", "true"}}, 10, runs)
		if err != nil {
			return err
		}
		l.row(r.name, a, b, r.bound, "ms")
	}
	return nil
}

// snapshot: what the aliases and functions of an rc file cost once they are in the cache.
func snapshot(l *lab) error {
	home := filepath.Join(l.dir, "home")
	defer os.RemoveAll(home)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	var rc []byte
	for i := range 100 {
		rc = fmt.Appendf(rc, "alias a%d='ls -l'\nf%d() {\n  local x=$1\n  if [ -n \"$x\" ]; then\n    echo \"$x %d\"\n  fi\n}\n", i, i, i)
	}
	for _, name := range []string{".bashrc", ".zshrc"} {
		if err := os.WriteFile(filepath.Join(home, name), rc, 0o644); err != nil {
			return err
		}
	}
	runs := max(200/l.scale, 10)
	for _, sh := range []string{"bash", "zsh"} {
		path, err := exec.LookPath(sh)
		if err != nil {
			return err
		}
		argv := []string{l.pi, "run", "--", "true"}
		with := side{argv: argv, env: []string{"HOME=" + home, "SHELL=" + path, "XDG_CACHE_HOME=" + home}}
		without := side{argv: argv, env: append([]string{"PI_SHELL_SNAPSHOT=off"}, with.env...)}
		a, b, err := versus(with, without, 10, runs)
		if err != nil {
			return err
		}
		l.row("pi run -- true, "+sh+", rc of 100 functions | snapshot off", a, b, 1.3, "ms")
	}
	return nil
}

// session: a call into a session that is there, against a fresh shell.
func session(l *lab) error {
	runtime := filepath.Join(l.dir, "runtime")
	if err := os.MkdirAll(runtime, 0o700); err != nil {
		return err
	}
	env := []string{"XDG_RUNTIME_DIR=" + runtime}
	defer func() {
		_, _, _ = side{argv: []string{l.pi, "session", "stop", "bench"}, env: env}.once()
		os.RemoveAll(runtime)
	}()
	a, b, err := versus(side{argv: []string{l.pi, "run", "--session", "bench", "--", "true"}, env: env},
		side{argv: []string{l.pi, "run", "--", "true"}, env: env}, 10, max(200/l.scale, 10))
	if err != nil {
		return err
	}
	l.row("pi run --session bench -- true | pi run -- true", a, b, 1.0, "ms")
	return l.script("sh", "-c", "sh bench/keys/addon.sh || echo 'session: the addon could not be fetched' >&2; exec go run ./bench/session -check")
}

// cat: a gibibyte of text through the sink, and through it into the artifact. Both sides write their copy to the same
// disk; pi's cap is lifted so that it writes as much as tee does.
func cat(l *lab) error {
	file, err := l.textFile()
	if err != nil {
		return err
	}
	art, copy := filepath.Join(l.dir, "artifacts"), filepath.Join(l.dir, "copy")
	defer os.RemoveAll(art)
	defer os.Remove(copy)
	quoted := "'" + file + "'"
	pi := func(env ...string) side {
		return side{argv: []string{l.pi, "run", "--", "cat " + quoted}, env: append(env, "PI_ARTIFACTS_DIR="+art)}
	}
	sh := func(text string) side { return side{argv: []string{"bash", "-c", text}} }
	runs := 7
	a, b, err := versus(pi("PI_ARTIFACTS_MAX_BYTES=0"), sh("bash -c 'cat "+file+"' | tail -c 51200"), 1, runs)
	if err != nil {
		return err
	}
	l.row("pi run -- cat 1G, no artifact | bash -c cat | tail -c", a, b, 1.15, "ms")
	clean := func() { os.RemoveAll(art); os.Remove(copy) }
	var ours, theirs []float64
	for range runs {
		clean()
		x, y, err := versus(pi("PI_ARTIFACTS_MAX_BYTES=4GiB"), sh("cat "+quoted+" | tee '"+copy+"' | tail -c 51200"), 0, 1)
		if err != nil {
			return err
		}
		ours, theirs = append(ours, x), append(theirs, y)
	}
	l.row("pi run -- cat 1G, artifact | cat | tee | tail -c", median(ours), median(theirs), 1.15, "ms")
	return nil
}

// textFile creates a file like a long listing, once.
func (l *lab) textFile() (string, error) {
	size := int64(1<<30) / int64(l.scale)
	name := filepath.Join(l.dir, fmt.Sprintf("text-%d", size))
	if st, err := os.Stat(name); err == nil && st.Size() >= size {
		return name, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	for n, i := int64(0), 0; n < size; i++ {
		k, err := fmt.Fprintf(w, "-rw-r--r--  1 user group %9d Jan %2d 12:%02d src/pkg/module_%d/file_%d.go\n", i*37%1000000, i%28+1, i%60, i%97, i)
		if err != nil {
			return "", err
		}
		n += int64(k)
	}
	return name, w.Flush()
}

// memory: the peak of pi itself for outputs of every kind, against 32 MiB.
func memory(l *lab) error {
	gib := int64(1<<30) / int64(l.scale)
	for _, r := range []struct{ name, command string }{
		{"10 GiB of yes", fmt.Sprintf("yes | head -c %d", 10*gib)},
		{"1 GiB without a newline", fmt.Sprintf("head -c %d /dev/zero | tr '\\0' x", gib)},
		{"1 GiB of carriage-return frames", fmt.Sprintf("yes '50%%' | tr '\\n' '\\r' | head -c %d", gib)},
		{"1,000,000 writes of one byte", "python3 -c 'import os\nfor i in range(1000000): os.write(1, b\"x\")'"},
	} {
		_, kib, err := side{argv: []string{l.pi, "run", "--no-normalize", "-t", "3000", "--", r.command},
			env: []string{"PI_ARTIFACTS_DIR=" + filepath.Join(l.dir, "artifacts")}}.once()
		if err != nil {
			return err
		}
		l.row("peak memory, "+r.name+" | 32 MiB", float64(kib)/1024, 32, 1, "MiB")
	}
	return os.RemoveAll(filepath.Join(l.dir, "artifacts"))
}

// script runs one of the comparisons that live beside this one, and passes its report through.
func (l *lab) script(argv ...string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "PI_BENCH_DIR="+l.dir, "PI="+l.pi)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// kill: ending a tree of 2,000 processes; the comparison is a program of its own.
func kill(l *lab) error { return l.script("sh", "bench/killtree.sh") }

// keys: naming a key; the comparison is a module of its own.
func keys(l *lab) error { return l.script("sh", "-c", "cd bench/keys && go run .") }
