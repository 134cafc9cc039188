package vt

import (
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

const maxCluster = 32 // bytes of a grapheme cluster; what would make it longer is dropped

// clusterTable holds the grapheme clusters of more than one code point that cells refer to. When it grows, clusters no longer on
// a screen are removed.
type clusterTable struct {
	texts []string // cell.Rune -1 is texts[0]
	ids   map[string]rune
	limit int // the size at which to look for what is no longer used
}

const minClusters = 4096

func (c *clusterTable) text(id rune) string { return c.texts[-id-1] }

// cluster returns the cell rune that refers to text.
func (t *Terminal) cluster(text []byte) rune {
	c := &t.clusters
	if id, ok := c.ids[string(text)]; ok {
		return id
	}
	if len(c.texts) >= max(c.limit, minClusters) {
		t.sweepClusters()
	}
	if c.ids == nil {
		c.ids = make(map[string]rune)
	}
	s := string(text)
	c.texts = append(c.texts, s)
	id := rune(-len(c.texts))
	c.ids[s] = id
	return id
}

// sweepClusters keeps only the clusters of both screens.
func (t *Terminal) sweepClusters() {
	old := t.clusters.texts
	t.clusters = clusterTable{ids: make(map[string]rune)}
	keep := func(c *Cell) {
		if c.Rune >= 0 {
			return
		}
		s := old[-c.Rune-1]
		id, ok := t.clusters.ids[s]
		if !ok {
			t.clusters.texts = append(t.clusters.texts, s)
			id = rune(-len(t.clusters.texts))
			t.clusters.ids[s] = id
		}
		c.Rune = id
	}
	for _, s := range []*screen{&t.main, &t.alt} {
		for _, r := range s.rows {
			if r.simple || r.ascii {
				continue
			}
			for x := range r.cells[:r.used] {
				keep(&r.cells[x])
			}
		}
	}
	keep(&t.lastText)
	t.clusters.limit = 2 * len(t.clusters.texts)
}

// join adds r to the character before the cursor if both form one grapheme cluster, and reports whether it did.
func (t *Terminal) join(r rune) bool {
	if !t.joinable || !mayJoin(r) {
		return false
	}
	x := t.x - 1
	if t.pending {
		x = t.x
	}
	line := t.scr.rows[t.y]
	line.expand()
	if x > 0 && line.cells[x].Width == 0 {
		x--
	}
	c := &line.cells[x]
	text := utf8.AppendRune(t.AppendCell(t.cellText[:0], *c), r)
	t.cellText = text[:0]
	first := graphemes.FromBytes(text)
	if !first.Next() || len(first.Value()) != len(text) {
		return false
	}
	if len(text) > maxCluster {
		return true
	}
	c.Rune = 0 // before a sweep: it is of no table
	id := t.cluster(text)
	c.Rune = id
	line.ascii = false
	t.changed(line)
	if c.Width == 1 && displaywidth.Bytes(text) == 2 {
		t.widenCell(line, x)
	}
	t.lastText = *c
	return true
}

// Truncate truncates a text to at most cols columns and marks the omission with an ellipsis.
func Truncate(s string, cols int) string { return displaywidth.TruncateString(s, cols, "…") }

// widenCell makes the character at x, directly before the cursor, two columns wide if there is room.
func (t *Terminal) widenCell(line *row, x int) {
	if t.pending || x+1 >= t.rightEdge() {
		return
	}
	c := line.cells[x]
	if t.modes&modeInsert != 0 {
		line.insert(x+1, t.rightEdge(), 1, t.cell())
	}
	c.Width = 2
	line.put(x, c)
	t.advance(1)
}

// mayJoin reports false for most characters that never continue a cluster: a fast path.
func mayJoin(r rune) bool {
	switch {
	case r < 0x300,
		r >= 0x370 && r < 0x483,
		r >= 0x2500 && r < 0x25a0,
		r >= 0x2800 && r < 0x2900,
		r >= 0x3040 && r < 0x3099,
		r >= 0x309b && r < 0x3100,
		r >= 0x3400 && r < 0xa000:
		return false
	}
	return true
}
