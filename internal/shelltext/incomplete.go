package shelltext

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Incomplete tells whether text lacks its end: an open quotation, here-document, bracket or block, a dangling && or |,
// or a backslash before the end of the line. Text that is wrong in another way, or too long to be parsed, is not
// incomplete: the shell will say what is wrong with it.
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
	// The text is a line that somebody has ended.
	_, err := syntax.NewParser().Parse(strings.NewReader(text+"\n"), "")
	return syntax.IsIncomplete(err)
}
