package snapshot

import (
	"bufio"
	"strconv"
	"strings"

	"pi/internal/shell"
	"pi/internal/shelltext"
)

// namesLead begins the line of a script that lists the names it defines. Sessions read it.
const namesLead = "# names"

// script returns what a shell sources: the names, then functions, before there are aliases that could change them.
func (t dumped) script(d *shell.SnapshotDialect, functions []function, aliases []alias) []byte {
	b := []byte(namesLead)
	for _, f := range functions {
		b = strconv.AppendQuoteToASCII(append(b, ' '), f.name)
	}
	for _, a := range aliases {
		b = strconv.AppendQuoteToASCII(append(b, ' '), a.name)
	}
	b = append(b, '\n')
	add := func(words ...string) {
		for _, w := range words {
			b = append(b, w...)
		}
	}
	add(d.Prologue)
	if len(t.fpath) > 0 {
		add("fpath=(")
		for _, dir := range t.fpath {
			add(" ", shelltext.QuoteAlways(dir))
		}
		add(" )\n")
	}
	b = appendFunctions(b, d, functions)
	add(d.BeforeAliases)
	if len(t.options) > 0 {
		add(d.SetOptions, " ", strings.Join(t.options, " "), " 2>/dev/null\n")
	}
	if len(aliases) > 0 {
		add("alias --")
		for _, a := range aliases {
			add(" ", shelltext.QuoteAlways(a.name), "=", shelltext.QuoteAlways(a.value))
		}
		add(" >/dev/null 2>&1\n")
	}
	add(d.Epilogue)
	return b
}

func appendFunctions(b []byte, d *shell.SnapshotDialect, list []function) []byte {
	for _, f := range list {
		b = append(b, d.Function(f.name, f.text)...)
	}
	return b
}

// dumpArgs makes the shell read its rc files as an interactive one and then print what they left: `-i` sets what the guards at
// the top of rc files check ($-, $PS1), and `-c` comes after them. An answer begins and ends with marks.
func dumpArgs(s shell.Shell, channel, mark string) []string {
	d := s.Dialect
	body := strings.NewReplacer("{CHANNEL}", shelltext.QuoteAlways(channel), "{MARK}", mark).Replace(d.Snapshot.DumpBody)
	args := append([]string{d.Name}, d.Snapshot.DumpFlags...)
	return append(args, d.Snapshot.DumpStart+shelltext.QuoteAlways(body))
}

// Names reads the names of the functions and aliases that a script defines; ok is false if it does not list them.
func Names(path string) (names map[string]bool, ok bool) {
	f, err := openPrivate(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	r := bufio.NewReader(f)
	if _, err := readHeader(r); err != nil {
		return nil, false
	}
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, false
	}
	return namesIn(strings.TrimSuffix(line, "\n"))
}

func namesIn(line string) (names map[string]bool, ok bool) {
	rest, ok := strings.CutPrefix(line, namesLead)
	if !ok {
		return nil, false
	}
	names = map[string]bool{}
	for rest != "" {
		quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(rest, " "))
		if err != nil {
			return nil, false
		}
		name, err := strconv.Unquote(quoted)
		if err != nil || rest[0] != ' ' {
			return nil, false
		}
		names[name], rest = true, rest[1+len(quoted):]
	}
	return names, true
}
