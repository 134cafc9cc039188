package intercept

import "strings"

// unparsed describes a text that is too long to be parsed or does not parse, by the words of its first line alone. A
// shell reads line by line: what it makes of that line it runs, whatever is wrong further down.
func unparsed(text string) simple {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	c := simple{source: strings.TrimSpace(text)}
	var words, writes []string
	here := false
	fields := strings.Fields(line)
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		op := f[:len(f)-len(strings.TrimLeft(f, "<>|"))]
		switch {
		case strings.HasPrefix(op, "|"):
			i = len(fields) // the rest is another command's
		case op == ">" || op == ">>" || op == ">|":
			if f = f[len(op):]; f == "" && i+1 < len(fields) {
				i++
				f = fields[i]
			}
			if !isDevice(f) && !strings.HasPrefix(f, "&") {
				writes = append(writes, " "+strings.TrimSuffix(op, "|")+" "+f)
			}
		case op != "":
			c.feed = direct
			here = here || strings.HasPrefix(op, "<<")
		default:
			words = append(words, f)
		}
	}
	if words = unwrap(words); len(words) == 0 {
		return c
	}
	c.name = words[0]
	c.count(words[1:])
	c.plain = strings.Join(words, " ")
	if here {
		c.plain += " <<"
	}
	c.plain += strings.Join(writes, "")
	return c
}
