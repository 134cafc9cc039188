package main

import (
	"regexp"
	"strings"
)

// block is one block of a page. Which fields are set depends on kind.
type block struct {
	kind  kind
	level int        // of a heading, from 1; of a list item, from 0
	mark  string     // of a list item: "-" or "1."
	text  string     // inline Markdown of a heading, paragraph or item
	lines []string   // of code
	rows  [][]string // of a table, the header first; its cells may be empty
}

type kind int

const (
	heading kind = iota
	paragraph
	item
	code
	table
)

var (
	headingLine = regexp.MustCompile(`^(#{1,6}) +(.*?) *#*$`)
	itemLine    = regexp.MustCompile(`^( *)([-*]|[0-9]+[.]) +(.*)$`)
	fenceLine   = regexp.MustCompile("^ *```")
	ruleLine    = regexp.MustCompile(`^ *\|? *:?-+:? *(\| *:?-+:? *)*\|? *$`)
)

// parse reads the subset of Markdown that pi's pages use: headings, paragraphs, lists, fenced and indented code, and
// tables. Anything else is a paragraph.
func parse(page string) (blocks []block) {
	lines := strings.Split(strings.ReplaceAll(page, "\r\n", "\n"), "\n")
	open := false // the last block takes further lines of text
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t")
		last := len(blocks) - 1
		switch {
		case line == "":
			open = false
		case fenceLine.MatchString(line):
			c := block{kind: code}
			indent := strings.Index(line, "`")
			for i++; i < len(lines) && !fenceLine.MatchString(lines[i]); i++ {
				c.lines = append(c.lines, dedent(lines[i], indent))
			}
			blocks, open = append(blocks, c), false
		case headingLine.MatchString(line):
			m := headingLine.FindStringSubmatch(line)
			blocks, open = append(blocks, block{kind: heading, level: len(m[1]), text: m[2]}), false
		case strings.HasPrefix(line, "|"):
			var t block
			t, i = readTable(lines, i)
			blocks, open = append(blocks, t), false
		case itemLine.MatchString(line):
			m := itemLine.FindStringSubmatch(line)
			blocks, open = append(blocks, block{kind: item, level: len(m[1]) / 2, mark: m[2], text: m[3]}), true
		case open:
			blocks[last].text += " " + strings.TrimSpace(line)
		case strings.HasPrefix(line, "    ") && !(last >= 0 && blocks[last].kind == item):
			c := block{kind: code}
			for ; i < len(lines) && (strings.HasPrefix(lines[i], "    ") || strings.TrimSpace(lines[i]) == ""); i++ {
				c.lines = append(c.lines, dedent(lines[i], 4))
			}
			i--
			for len(c.lines) > 0 && c.lines[len(c.lines)-1] == "" {
				c.lines = c.lines[:len(c.lines)-1]
			}
			blocks = append(blocks, c)
		case strings.HasPrefix(line, "  ") && last >= 0 && blocks[last].kind == item:
			// A further paragraph of an item stands under it without a mark.
			blocks, open = append(blocks, block{kind: item, level: blocks[last].level, text: strings.TrimSpace(line)}), true
		default:
			blocks, open = append(blocks, block{kind: paragraph, text: strings.TrimSpace(line)}), true
		}
	}
	return blocks
}

// readTable reads the table that begins at lines[i] and returns it with the number of its last line.
func readTable(lines []string, i int) (block, int) {
	t := block{kind: table}
	for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
		if !ruleLine.MatchString(lines[i]) {
			t.rows = append(t.rows, cells(lines[i]))
		}
	}
	return t, i - 1
}

// cells splits a row of a table; \| is a bar within a cell.
func cells(row string) []string {
	const bar = "\x00"
	row = strings.ReplaceAll(row, `\|`, bar)
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	list := strings.Split(row, "|")
	for i, c := range list {
		list[i] = strings.ReplaceAll(strings.TrimSpace(c), bar, "|")
	}
	return list
}

func dedent(line string, n int) string {
	for ; n > 0 && strings.HasPrefix(line, " "); n-- {
		line = line[1:]
	}
	return line
}

// span is a piece of inline text.
type span struct {
	text  string
	style style
	url   string // of a link to the outside
}

type style int

const (
	plain style = iota
	literal
	strong
	emphasis
)

var inline = regexp.MustCompile("``(.+?)``|`([^`]+)`|\\*\\*(.+?)\\*\\*|\\*([^*\\s](?:[^*]*[^*\\s])?)\\*|\\[([^\\]]*)\\]\\(([^)]*)\\)|<(https?://[^>]+)>|\\\\([\\\\`*_{}\\[\\]()#+.!|<>-])")

// spans splits inline Markdown into pieces of one style. A link to another page becomes its text alone.
func spans(text string) (list []span) {
	for text != "" {
		m := inline.FindStringSubmatchIndex(text)
		if m == nil {
			return append(list, span{text: text})
		}
		if m[0] > 0 {
			list = append(list, span{text: text[:m[0]]})
		}
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return text[m[2*n]:m[2*n+1]]
		}
		switch {
		case m[2] >= 0:
			list = append(list, span{text: strings.TrimSpace(group(1)), style: literal})
		case m[4] >= 0:
			list = append(list, span{text: group(2), style: literal})
		case m[6] >= 0:
			list = append(list, restyled(group(3), strong)...)
		case m[8] >= 0:
			list = append(list, restyled(group(4), emphasis)...)
		case m[10] >= 0:
			inner := spans(group(5))
			if url := group(6); strings.Contains(url, "://") && len(inner) > 0 {
				inner[len(inner)-1].url = url
			}
			list = append(list, inner...)
		case m[14] >= 0:
			list = append(list, span{text: group(7)})
		default:
			list = append(list, span{text: group(8)})
		}
		text = text[m[1]:]
	}
	return list
}

// restyled gives the plain spans of text a style; code in it stays code.
func restyled(text string, s style) []span {
	list := spans(text)
	for i := range list {
		if list[i].style == plain {
			list[i].style = s
		}
	}
	return list
}

// unmarked returns inline Markdown as plain text, with the backquotes of code if quoted.
func unmarked(text string, quoted bool) string {
	var b strings.Builder
	for _, s := range spans(text) {
		if s.style == literal && quoted {
			s.text = "`" + s.text + "`"
		}
		b.WriteString(s.text)
		if s.url != "" && s.url != s.text {
			b.WriteString(" (" + s.url + ")")
		}
	}
	return b.String()
}
