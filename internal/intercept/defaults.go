package intercept

const defaultCount = 11

// DefaultRules gives the default rules in the order in which they are tried. They are matched
// against the plain form of each simple command: its words without quotes and with one blank
// between them, then " <<" for a here-document or here-string, then " > file" or " >> file" for
// each file that standard output is written to. Operators and blanks inside a word show as "_".
func DefaultRules() []Rule {
	rules := make([]Rule, 0, defaultCount)
	for _, r := range defaults() {
		rules = append(rules, r.Rule)
	}
	return rules
}

// Messages of the default rules, one a tool.
const (
	useRead  = "Use the read tool instead of cat, head, tail, less or more: it numbers lines and reads ranges."
	useGrep  = "Use the grep tool instead of grep, rg, ag or ack: it keeps its output within bounds."
	useFind  = "Use the find tool instead of find, fd or locate: it takes a glob and keeps its output within bounds."
	useEdit  = "Use the edit tool instead of editing in place with sed, perl or awk: it shows what it changes."
	useWrite = "Use the write tool instead of redirecting echo, printf or a here-document into a file."
)

func defaults() []rule {
	d := func(id, names, tool, message, pattern string) rule {
		return rule{Rule: Rule{Pattern: pattern, Tool: tool, Message: message}, id: id, names: names}.later()
	}
	return []rule{
		// Without an operand they read their standard input.
		d("read-file", " cat head less more ", "read", useRead, `^\w+(?: -\S*)* [^-<>\s]`),
		// Not tail -f: no tool follows a file.
		d("read-tail", " tail ", "read", useRead,
			`^tail(?: -(?:\d+|[qvz]|[nc] ?\S+)| --(?:lines|bytes|quiet|silent|verbose)\S*(?: \d+)?| \+\d+)* [^-+<>\s]`),
		d("search-text", " grep egrep fgrep rg ripgrep ag ack ", "grep", useGrep, `^\w+(?: -\S*)* [^-<>\s]`),
		d("find-find", " find ", "find", useFind,
			`^find(?: \S+)* -(?:i?name|i?path|i?wholename|i?regex|i?lname|x?type) \S`),
		d("find-fd", " fd fdfind ", "find", useFind, `^\w+(?: -\S*)*(?: [^-<>\s]| -[egt]\S| --(?:extension|glob|type)\b)`),
		d("find-locate", " locate mlocate plocate ", "find", useFind, `^\w+(?: -\S*)* [^-<>\s]`),
		// Clusters of options without arguments before the i; what follows it is the suffix.
		d("edit-sed", " sed gsed ", "edit", useEdit, `^\w+(?: \S+)* -(?:[bnErsuz]*i|-i)`),
		// Options end at the first operand, the program's text or file.
		d("edit-perl", " perl ", "edit", useEdit, `^perl(?: -\S*[eEI] \S+| -\S+)* -[acnpsStTuUwWXgl0-9]*i`),
		d("edit-awk", " awk gawk ", "edit", useEdit, `^\w+(?: \S+)* (?:-i ?|--include[= ])inplace\b`),
		d("write-echo", " echo printf ", "write", useWrite, `^\w+(?: \S+)* >>? \S`),
		d("write-heredoc", " cat ", "write", useWrite, `^cat(?: -\S*)* <<(?: < \S+)* >>? \S`),
	}
}
