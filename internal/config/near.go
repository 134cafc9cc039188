package config

import "strings"

// nearest returns the candidate closest to name, ignoring case. For the name of a key in the wrong section, or in none,
// that is the key in its own section.
func nearest(name string, candidates []string) string {
	best, bestCost := "", 0
	for _, c := range candidates {
		cost := mismatch(strings.ToLower(name), strings.ToLower(c))
		if best == "" || cost < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// mismatch returns a cost that is smaller the closer the names are: the edit distance, reduced if only the section
// differs. If two sections have the same key, the section with the closer name costs less.
func mismatch(name, candidate string) int {
	whole := distance(name, candidate)
	section := distance(lastPart(name), lastPart(candidate)) + 2
	return 1000*min(whole, section) + whole
}

// lastPart returns the name of a key without its section.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// distance returns the Levenshtein distance in bytes. It compares the first 64 bytes only: all keys are shorter, and the
// cost is the product of the lengths.
func distance(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
