package shell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pi/internal/environ"
	"pi/internal/ps"
)

// taken is a snapshot on its way into the cache.
type taken struct {
	script    []byte
	env       []string
	functions []function
	aliases   []alias
	sources   []string // files that functions came from
	leftOut   int
}

// take lets the shell read its rc files, and turns what it tells into a script that was checked by the same shell.
func take(ctx context.Context, spec SnapshotSpec) (taken, error) {
	own := makerEnv(spec)
	raw, err := dump(ctx, spec, own)
	if err != nil {
		return taken{}, err
	}
	told, err := parseDump(raw)
	if err != nil {
		return taken{}, err
	}
	t := told.filter(own)
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	ck := checker{ctx: ctx, spec: spec, env: own}
	t.script = told.script(spec.Shell.Kind, t.functions, t.aliases)
	err = ck.check(t.script)
	if errors.Is(err, errSyntax) {
		n := len(t.functions)
		if t.functions, err = ck.sound(t.functions); err == nil {
			t.leftOut += n - len(t.functions)
			t.script = told.script(spec.Shell.Kind, t.functions, t.aliases)
			err = ck.check(t.script)
		}
	}
	if err != nil {
		return taken{}, fmt.Errorf("check of the snapshot: %w", err)
	}
	return t, nil
}

// makerEnv is the environment of the shell that reads the rc files. Those often do nothing for a dumb terminal, and
// no program in them may open a window to ask for a password. With no history file named, bash cannot shorten one.
func makerEnv(spec SnapshotSpec) []string {
	set := []string{"SSH_ASKPASS=/usr/bin/false", "SUDO_ASKPASS=/usr/bin/false", "GIT_TERMINAL_PROMPT=0", "HISTFILE="}
	if t := environ.Get(spec.Env, "TERM"); t == "" || t == "dumb" {
		set = append(set, "TERM=xterm-256color")
	}
	env := make([]string, 0, len(spec.Env)+len(set))
	for _, kv := range spec.Env {
		if _, ours := environ.Lookup(set, environ.Name(kv)); !ours {
			env = append(env, kv)
		}
	}
	return append(env, set...)
}

// dump runs the shell as an interactive one that has no terminal. The answer comes through a fifo whose name only the
// command text knows, which runs after the rc files: they can do with all descriptors as they please.
func dump(ctx context.Context, spec SnapshotSpec, env []string) ([]byte, error) {
	mark := nonce()
	path := filepath.Join(spec.CacheDir, "new-"+nonce())
	ch, err := openChannel(path)
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	defer ch.Close()
	tree, err := ps.Start(ps.Command{Path: spec.Shell.Path, Args: dumpArgs(spec.Shell, path, mark), Env: env, Dir: spec.Home})
	if err != nil {
		return nil, err
	}
	rd := make(chan answer, 1)
	go func() { rd <- readAnswer(ch, mark) }()
	timer := time.NewTimer(spec.bound())
	defer timer.Stop()
	var late error
	select {
	case a := <-rd:
		tree.End(0, nil)
		return a.data, a.err
	case <-tree.Done():
	case <-timer.C:
		late = fmt.Errorf("they were not read within %v", spec.bound())
	case <-ctx.Done():
		late = ctx.Err()
	}
	tree.End(0, nil) // the daemons too
	_, _ = ch.WriteString(stopMark(mark))
	a := <-rd
	switch {
	case a.err == nil:
		return a.data, nil
	case late != nil:
		return nil, late
	case errors.Is(a.err, errStopped):
		return nil, fmt.Errorf("they ended or replaced the shell (%s)", endOf(tree.State()))
	}
	return nil, a.err
}

func endOf(s ps.State) string {
	if s.Signal != 0 {
		return "signal " + s.Signal.String()
	}
	return fmt.Sprintf("status %d", s.ExitCode)
}

// answer is what came through the channel between its begin and its end mark.
type answer struct {
	data []byte
	err  error
}

var errStopped = errors.New("no answer")

// Marks stand between NUL bytes, which no name and no text of a shell can hold.
func beginMark(m string) string { return "\x00B" + m + "\x00" }
func endMark(m string) string   { return "\x00Z" + m + "\x00" }
func stopMark(m string) string  { return "\x00S" + m + "\x00" }

// readAnswer reads up to a mark. Its caller writes the stop mark when no answer is to be expected any more.
func readAnswer(ch *os.File, mark string) answer {
	var data []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := ch.Read(buf)
		if err != nil {
			return answer{err: err}
		}
		from := max(len(data)-len(endMark(mark)), 0)
		data = append(data, buf[:n]...)
		if i := bytes.Index(data[from:], []byte(endMark(mark))); i >= 0 {
			data = data[:from+i]
			b := bytes.LastIndex(data, []byte(beginMark(mark)))
			if b < 0 {
				return answer{err: errors.New("the answer has no beginning")}
			}
			return answer{data: data[b+len(beginMark(mark)):]}
		}
		if bytes.Contains(data[from:], []byte(stopMark(mark))) {
			return answer{err: errStopped}
		}
		if len(data) > dumpLimit {
			return answer{err: fmt.Errorf("they define more than %d MiB", dumpLimit>>20)}
		}
	}
}

// checker asks the shell whether it can read back what it told.
type checker struct {
	ctx  context.Context
	spec SnapshotSpec
	env  []string
}

var errSyntax = errors.New("the shell cannot read it back")

// sound gives the functions that the shell can read back. The rest, which no shell should print but some versions do,
// is found by halves.
func (c checker) sound(list []function) ([]function, error) {
	if len(list) == 0 {
		return nil, nil
	}
	err := c.check(appendFunctions(nil, c.spec.Shell.Kind, list))
	switch {
	case err == nil:
		return list, nil
	case !errors.Is(err, errSyntax):
		return nil, err
	case len(list) == 1:
		return nil, nil
	}
	a, err := c.sound(list[:len(list)/2])
	if err != nil {
		return nil, err
	}
	b, err := c.sound(list[len(list)/2:])
	return append(a[:len(a):len(a)], b...), err
}

// check has the shell parse a script without running it.
func (c checker) check(script []byte) error {
	path := filepath.Join(c.spec.CacheDir, "new-"+nonce())
	defer os.Remove(path)
	if err := writePrivate(path, script); err != nil {
		return err
	}
	tree, err := ps.Start(ps.Command{Path: c.spec.Shell.Path, Args: checkArgs(c.spec.Shell, path), Env: c.env, Dir: c.spec.Home})
	if err != nil {
		return err
	}
	defer tree.End(0, nil)
	select {
	case <-tree.Done():
	case <-c.ctx.Done():
		return fmt.Errorf("took longer than %v", checkLimit)
	}
	if st := tree.State(); st.Signal != 0 || st.ExitCode != 0 {
		return errSyntax
	}
	return nil
}

func checkArgs(s Shell, path string) []string {
	if s.Kind == Zsh {
		return []string{"zsh", "-f", "-n", path}
	}
	return []string{"bash", "--norc", "-O", "extglob", "-n", path}
}

// told is what the shell answered.
type told struct {
	functions []function
	aliases   []alias
	options   []string
	fpath     []string // zsh: where functions are loaded from on their first call
	vars      []string // exported, NAME=VALUE
}

type function struct{ name, text, source string }

type alias struct{ name, value string }

// parseDump reads the records of the dump: a letter, then its fields, each ended by a NUL.
func parseDump(raw []byte) (told, error) {
	var t told
	fields := strings.Split(string(raw), "\x00")
	next := func() string {
		if len(fields) == 0 {
			return ""
		}
		f := fields[0]
		fields = fields[1:]
		return f
	}
	for len(fields) > 1 {
		switch kind := next(); kind {
		case "F":
			t.functions = append(t.functions, function{name: next(), source: next(), text: next()})
		case "G":
			t.functions = append(t.functions, splitFunctions(next(), next(), next())...)
		case "A":
			t.aliases = append(t.aliases, alias{next(), next()})
		case "L":
			t.aliases = append(t.aliases, parseAliases(next())...)
		case "O":
			t.options = append(t.options, next())
		case "P":
			t.fpath = append(t.fpath, next())
		case "E":
			t.vars = append(t.vars, next()+"="+next())
		default:
			return t, fmt.Errorf("the answer cannot be understood at %.20q", kind)
		}
	}
	return t, nil
}

// splitFunctions cuts bash's listing of all functions at the names, which come in the same order, one a line. sources
// has lines of the form NAME LINE FILE.
func splitFunctions(names, texts, sources string) (list []function) {
	from := make(map[string]string)
	for _, line := range strings.Split(sources, "\n") {
		name, rest, _ := strings.Cut(line, " ")
		_, from[name], _ = strings.Cut(rest, " ")
	}
	rest := "\n" + texts
	for _, name := range strings.Split(names, "\n") {
		head := "\n" + name + " () \n{ \n"
		i := strings.Index(rest, head)
		if i < 0 || name == "" {
			continue
		}
		if len(list) > 0 {
			list[len(list)-1].text = rest[:i+1]
		}
		list = append(list, function{name: name, source: from[name]})
		rest = rest[i+1:]
	}
	if len(list) > 0 {
		list[len(list)-1].text = rest
	}
	for i, f := range list { // an exported function is followed by `declare -fx NAME`; children get none of them
		body := strings.TrimSuffix(f.text, "\n")
		last := strings.LastIndexByte(body, '\n') + 1
		if strings.HasPrefix(body[last:], "declare -f") && strings.HasSuffix(body, " "+f.name) {
			list[i].text = body[:last]
		}
	}
	return list
}

// parseAliases reads what bash's `alias -p` prints: alias [-- ]NAME='VALUE', where a quote in VALUE closes the word, is
// escaped, and opens it again. What is not of that form ends the list.
func parseAliases(text string) (list []alias) {
	for text != "" {
		rest, ok := strings.CutPrefix(text, "alias ")
		name, rest, eq := strings.Cut(strings.TrimPrefix(rest, "-- "), "=")
		value, rest, quoted := unquote(rest)
		if !ok || !eq || !quoted || name == "" {
			return list
		}
		list = append(list, alias{name, value})
		text = rest
	}
	return list
}

// unquote reads one single-quoted word up to the end of its line.
func unquote(s string) (value, rest string, ok bool) {
	var b strings.Builder
	for s != "" {
		switch {
		case s[0] == '\n':
			return b.String(), s[1:], true
		case strings.HasPrefix(s, `\'`):
			b.WriteByte('\'')
			s = s[2:]
		case s[0] == '\'':
			in, after, closed := strings.Cut(s[1:], "'")
			if !closed {
				return "", "", false
			}
			b.WriteString(in)
			s = after
		default:
			return "", "", false
		}
	}
	return b.String(), "", true
}
