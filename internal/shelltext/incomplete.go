package shelltext

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Incomplete reports whether text lacks its end: an open quotation, here-document, bracket or block, a trailing && or |, or a
// backslash before the end of the line. Text that is wrong in another way, or too long to parse, is not incomplete: the shell will
// report what is wrong with it.
func Incomplete(text string) (yes bool) {
	if len(text) > MaxParse || strings.IndexByte(text, 0) >= 0 || !shallow(text) {
		return false
	}
	if strings.HasSuffix(text, `\`) && !strings.HasSuffix(text, `\\`) {
		return true
	}
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	// The user has ended the line.
	_, err := syntax.NewParser().Parse(strings.NewReader(text+"\n"), "")
	return syntax.IsIncomplete(err)
}
