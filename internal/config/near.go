package config

import "strings"

// nearest is the candidate closest to name. Case does not count, so a key in wrong case finds itself; a right key in
// the wrong section (or in none) finds its own place.
func nearest(name string, candidates []string) string {
	best, bestCost := "", 0
	for _, c := range candidates {
		cost := closeness(strings.ToLower(name), strings.ToLower(c))
		if best == "" || cost < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// closeness is the edit distance, with a discount when only the section is wrong. Between two sections that hold the
// same key the one that reads closer wins.
func closeness(name, candidate string) int {
	whole := distance(name, candidate)
	section := distance(lastPart(name), lastPart(candidate)) + 2
	return 1000*min(whole, section) + whole
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// distance is the Levenshtein distance in bytes. Names longer than 64 bytes count as cut there: keys are shorter, and
// a hostile key must not cost the square of its length.
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
