// Package manual holds the user pages of docs/ as plain text, compressed. Nothing is decompressed before a page is asked
// for.
package manual

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
)

// Page is one page of the manual.
type Page struct {
	Topic string `json:"topic"` // the name of its file in docs/, without .md
	Title string `json:"title"` // its first heading
	Text  string `json:"text"`  // rendered for a terminal of 80 columns, without escape sequences
}

// compressed is written by `make generate` and checked by the tests of tools/manual.
//
//go:embed pages.json.gz
var compressed []byte

// Pages returns all pages, sorted by topic.
func Pages() ([]Page, error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	var pages []Page
	err = json.NewDecoder(r).Decode(&pages)
	return pages, err
}
