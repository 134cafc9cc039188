// Package licenses holds the licences that ship with the binary: pi's own and those of everything linked into it.
// The text is compressed; nothing is read or decompressed before Text is called.
package licenses

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

// compressed is written by `make generate` and checked by the tests of tools/licenses.
//
//go:embed licenses.txt.gz
var compressed []byte

// Text returns pi's licence, followed by name, version and licence of every module linked into pi on any platform.
func Text() (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}
