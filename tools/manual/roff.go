package main

import (
	"cmp"
	"fmt"
	"strings"
)

// roff writes a man page with the macros of man(7), which every implementation of man knows.
type roff struct {
	strings.Builder
	titled bool // the last line is a section's title, after which a paragraph needs no macro
}

// head identifies a man page.
type head struct {
	name    string // "pi-run"
	section int
	about   string // one line
	version string
	date    string // YYYY-MM-DD
}

func newRoff(h head) *roff {
	r := new(roff)
	r.macro("TH", strings.ToUpper(h.name), fmt.Sprint(h.section), h.date, h.version)
	r.macro("SH", "NAME")
	r.line(escape(h.name) + ` \- ` + escape(h.about))
	return r
}

// macro writes a request with its arguments, quoted.
func (r *roff) macro(name string, args ...string) {
	if name == "PP" && r.titled {
		return
	}
	r.titled = name == "SH" || name == "SS"
	r.WriteString("." + name)
	for _, a := range args {
		r.WriteString(` "` + strings.ReplaceAll(escape(a), `"`, `""`) + `"`)
	}
	r.WriteByte('\n')
}

// line writes a line of escaped text that may begin with anything.
func (r *roff) line(text string) {
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	r.titled = false
	r.WriteString(text + "\n")
}

// fill writes escaped words in lines of at most 80 bytes, as long as the words are not longer.
func (r *roff) fill(text string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > 78 {
			r.line(line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	r.line(line)
}

// code writes lines as they are.
func (r *roff) code(lines []string) {
	r.macro("PP")
	r.macro("RS", "4")
	r.macro("nf")
	for _, l := range lines {
		r.line(escapeCode(strings.ReplaceAll(l, "\t", "        ")))
	}
	r.macro("fi")
	r.macro("RE")
}

// escape prepares prose. Spaces stay, so that it can be filled.
func escape(text string) string { return strings.ReplaceAll(text, `\`, `\e`) }

// codeEscapes keep characters that formatters replace by typographic ones, so that what is shown can be copied.
var codeEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

func escapeCode(text string) string { return codeEscapes.Replace(text) }

// marked returns inline Markdown with the fonts of man pages: bold for what is typed.
func marked(text string) string {
	var b strings.Builder
	for _, s := range spans(text) {
		switch s.style {
		case literal, strong:
			b.WriteString(`\fB` + escapeCode(s.text) + `\fR`)
		case emphasis:
			b.WriteString(`\fI` + escape(s.text) + `\fR`)
		default:
			b.WriteString(escape(s.text))
		}
		if s.url != "" && s.url != s.text {
			b.WriteString(" (" + escapeCode(s.url) + ")")
		}
	}
	return b.String()
}

// blocks writes the blocks of a page below its title.
func (r *roff) blocks(list []block) {
	depth := 0 // of the list item that was written last
	for _, b := range list {
		if b.kind != item {
			for ; depth > 0; depth-- {
				r.macro("RE")
			}
		}
		switch b.kind {
		case heading:
			name := "SS"
			if b.level <= 2 {
				name = "SH"
			}
			r.macro(name, unmarked(b.text, false))
		case paragraph:
			r.macro("PP")
			r.fill(marked(b.text))
		case item:
			for ; depth < b.level; depth++ {
				r.macro("RS", "4")
			}
			for ; depth > b.level; depth-- {
				r.macro("RE")
			}
			mark := b.mark
			r.titled = false
			if mark == "-" || mark == "*" {
				r.WriteString(".IP \\(bu 4\n")
			} else {
				r.macro("IP", mark, "4")
			}
			r.fill(marked(b.text))
		case code:
			r.code(b.lines)
		case table:
			r.table(b.rows)
		}
	}
	for ; depth > 0; depth-- {
		r.macro("RE")
	}
}

// table writes a table as a list: the first cell, and below it the others.
func (r *roff) table(rows [][]string) {
	for _, row := range rows[1:] {
		r.macro("TP")
		r.line(cmp.Or(marked(row[0]), `\&`))
		written := false
		for c, cell := range row[1:] {
			if cell == "" {
				continue
			}
			if written {
				r.macro("br")
			}
			if len(row) > 2 && rows[0][c+1] != "" {
				cell = rows[0][c+1] + ": " + cell
			}
			r.fill(marked(cell))
			written = true
		}
		if !written {
			r.line(`\&`)
		}
	}
}
