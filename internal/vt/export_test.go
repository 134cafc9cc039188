package vt

// Unknown gives the number of sequences that were not recognised.
func (t *Terminal) Unknown() int { return t.unknown }

// Held gives the bytes that the scrollback, the replies and the parser hold, and the number of clusters.
func (t *Terminal) Held() (bytes, clusters int) {
	return t.ring.bytes + cap(t.replies.bytes) + cap(t.parser.str) + cap(t.line), len(t.clusters.texts)
}
