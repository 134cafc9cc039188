package intercept

import "strings"

// describeUnparsed describes a text that does not parse, or is too long to, by the words of its first line. A shell reads
// line by line and runs that line, whatever is wrong further down.
func describeUnparsed(text string) simpleCommand {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	c := simpleCommand{source: strings.TrimSpace(text)}
	var words, writes []string
	here := false
	fields := strings.Fields(line)
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		op := f[:len(f)-len(strings.TrimLeft(f, "<>|"))]
		switch {
		case strings.HasPrefix(op, "|"):
			i = len(fields) // the rest belongs to another command
		case op == ">" || op == ">>" || op == ">|":
			if f = f[len(op):]; f == "" && i+1 < len(fields) {
				i++
				f = fields[i]
			}
			if !isDevice(f) && !strings.HasPrefix(f, "&") {
				writes = append(writes, " "+strings.TrimSuffix(op, "|")+" "+f)
			}
		case op != "":
			c.stdin = stdinOwn
			here = here || strings.HasPrefix(op, "<<")
		default:
			words = append(words, f)
		}
	}
	if words = unwrap(words); len(words) == 0 {
		return c
	}
	c.name = words[0]
	c.countOperands(words[1:])
	c.plain = strings.Join(words, " ")
	if here {
		c.plain += " <<"
	}
	c.plain += strings.Join(writes, "")
	return c
}
