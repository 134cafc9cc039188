package keys

// SetMaxSequence makes r hand on sequences longer than n bytes in parts.
func (r *Reader) SetMaxSequence(n int) { r.maxSeq = n }

// AllIDs returns the id table.
func AllIDs() []string {
	var all []string
	for _, row := range ids {
		for _, id := range row {
			if id != "" {
				all = append(all, id)
			}
		}
	}
	return all
}
