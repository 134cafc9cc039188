package snapshot

import (
	"fmt"
	"strings"
)

// dumped is what the shell printed of itself.
type dumped struct {
	functions []function
	aliases   []alias
	options   []string
	fpath     []string // zsh: where functions are loaded from on their first call
	vars      []string // exported, NAME=VALUE
}

type function struct{ name, text, source string }

type alias struct{ name, value string }

// parseDump reads the records of the dump: a letter, then its fields, each ended by a NUL.
func parseDump(raw []byte) (dumped, error) {
	var t dumped
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

// splitFunctions cuts bash's listing of all functions at the names, which come in the same order, one per line. The lines of
// sources have the form NAME LINE FILE.
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

// parseAliases reads what bash's `alias -p` prints: alias [-- ]NAME='VALUE', where a quote in VALUE closes the word, is escaped,
// and opens it again. Anything else ends the list.
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
