package intercept

// DefaultRules returns the default rules in the order in which they are tried. They match the plain form of a simple
// command: its words without quotes, separated by one blank, then " <<" for each here-document or here-string, then
// " > file" or " >> file" for each file that standard output goes to. Operators and blanks inside a word are "_".
func DefaultRules() []Rule {
	var rules []Rule
	for _, r := range defaults() {
		rules = append(rules, r.Rule)
	}
	return rules
}

// Messages of the default rules, one for each tool.
const (
	useRead  = "Use the read tool instead of cat, head, tail, less or more: it numbers lines and reads ranges."
	useGrep  = "Use the grep tool instead of grep, rg, ag or ack: it keeps its output within bounds."
	useFind  = "Use the find tool instead of find, fd or locate: it takes a glob and keeps its output within bounds."
	useEdit  = "Use the edit tool instead of editing in place with sed, perl or awk: it shows what it changes."
	useWrite = "Use the write tool instead of redirecting echo, printf or a here-document into a file."
)

// defaults returns the default rules. To add one, add an entry here and its row to the table in docs/interception.md.
func defaults() []rule {
	d := func(id, names, tool, message, pattern string) rule {
		return rule{Rule: Rule{Pattern: pattern, Tool: tool, Message: message}, id: id, names: names}.lazy()
	}
	return []rule{
		// Without an operand these commands read standard input.
		d("read-file", " cat head less more ", "read", useRead, `^\w+(?: -\S*)* [^-<>\s]`),
		// Not tail -f: the read tool cannot follow a file.
		d("read-tail", " tail ", "read", useRead,
			`^tail(?: -(?:\d+|[qvz]|[nc] ?\S+)| --(?:lines|bytes|quiet|silent|verbose)\S*(?: \d+)?| \+\d+)* [^-+<>\s]`),
		d("search-text", " grep egrep fgrep rg ripgrep ag ack ", "grep", useGrep, `^\w+(?: -\S*)* [^-<>\s]`),
		d("find-find", " find ", "find", useFind,
			`^find(?: \S+)* -(?:i?name|i?path|i?wholename|i?regex|i?lname|x?type) \S`),
		d("find-fd", " fd fdfind ", "find", useFind, `^\w+(?: -\S*)*(?: [^-<>\s]| -[egt]\S| --(?:extension|glob|type)\b)`),
		d("find-locate", " locate mlocate plocate ", "find", useFind, `^\w+(?: -\S*)* [^-<>\s]`),
		// Options without values may precede the i in a cluster; the suffix follows it.
		d("edit-sed", " sed gsed ", "edit", useEdit, `^\w+(?: \S+)* -(?:[bnErsuz]*i|-i)`),
		// Options end at the first operand, which is the program or its file.
		d("edit-perl", " perl ", "edit", useEdit, `^perl(?: -\S*[eEI] \S+| -\S+)* -[acnpsStTuUwWXgl0-9]*i`),
		d("edit-awk", " awk gawk ", "edit", useEdit, `^\w+(?: \S+)* (?:-i ?|--include[= ])inplace\b`),
		d("write-echo", " echo printf ", "write", useWrite, `^\w+(?: \S+)* >>? \S`),
		d("write-heredoc", " cat ", "write", useWrite, `^cat(?: -\S*)* <<(?: < \S+)* >>? \S`),
	}
}
