package main

import (
	"strings"
	"unicode/utf8"
)

// width is how wide a rendered page is, in columns. Lines of code may be wider.
const width = 80

// renderText renders a page for a terminal, without escape sequences.
func renderText(blocks []block) string {
	var b strings.Builder
	for i, bl := range blocks {
		if i > 0 && !(bl.kind == item && blocks[i-1].kind == item && bl.mark != "") {
			b.WriteByte('\n')
		}
		switch bl.kind {
		case heading:
			title := unmarked(bl.text, false)
			b.WriteString(title + "\n")
			if bl.level <= 2 {
				b.WriteString(strings.Repeat(string("=-"[bl.level-1]), utf8.RuneCountInString(title)) + "\n")
			}
		case paragraph:
			writeWrapped(&b, unmarked(bl.text, true), "", "")
		case item:
			indent := strings.Repeat("  ", bl.level+1)
			mark := bl.mark + " "
			if bl.mark == "" {
				mark = "  "
			}
			writeWrapped(&b, unmarked(bl.text, true), indent+mark, indent+strings.Repeat(" ", len(mark)))
		case code:
			for _, l := range bl.lines {
				b.WriteString(strings.TrimRight("    "+l, " ") + "\n")
			}
		case table:
			renderTable(&b, bl.rows)
		}
	}
	return b.String()
}

// renderTable aligns the columns of a table that has room for them. A wider one becomes a list: the first cell, and
// under it the others.
func renderTable(b *strings.Builder, rows [][]string) {
	const gap, narrow = 2, 28 // narrow: a last column with fewer columns than this is hard to read
	var widths []int
	var text [][]string
	for _, row := range rows {
		var cells []string
		for c, cell := range row {
			cell = unmarked(cell, false)
			cells = append(cells, cell)
			if c == len(widths) {
				widths = append(widths, 0)
			}
			widths[c] = max(widths[c], utf8.RuneCountInString(cell))
		}
		text = append(text, cells)
	}
	before := 0 // columns before the last cell
	for _, w := range widths[:len(widths)-1] {
		before += w + gap
	}
	if last := widths[len(widths)-1]; before+min(last, narrow) > width {
		listTable(b, text)
		return
	}
	for n, row := range text {
		if strings.Join(row, "") == "" {
			continue // an empty header
		}
		var line strings.Builder
		for c, cell := range row[:len(row)-1] {
			line.WriteString(cell + strings.Repeat(" ", widths[c]-utf8.RuneCountInString(cell)+gap))
		}
		writeWrapped(b, row[len(row)-1], line.String(), strings.Repeat(" ", utf8.RuneCountInString(line.String())))
		if n == 0 {
			b.WriteString(strings.Repeat("-", min(width, before+widths[len(widths)-1])) + "\n")
		}
	}
}

func listTable(b *strings.Builder, rows [][]string) {
	for _, row := range rows[1:] {
		b.WriteString(row[0] + "\n")
		for c, cell := range row[1:] {
			if cell == "" {
				continue
			}
			label := ""
			if len(row) > 2 && rows[0][c+1] != "" {
				label = rows[0][c+1] + ": "
			}
			writeWrapped(b, label+cell, "    ", "      ")
		}
	}
}

// writeWrapped writes words up to width, the first line after first and the others after rest.
func writeWrapped(b *strings.Builder, text, first, rest string) {
	line, used := first, false
	for word := range strings.FieldsSeq(text) {
		if used && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			b.WriteString(line + "\n")
			line, used = rest, false
		}
		if used {
			line += " "
		}
		line, used = line+word, true
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
