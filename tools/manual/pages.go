package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pi/internal/manual"
)

// source is a user page as it is in docs/.
type source struct {
	topic, title string
	blocks       []block
}

// sources reads the user pages, sorted by topic. The index is left out: `pi help` lists the topics itself.
func sources(docs string) (list []source, err error) {
	names, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		topic := strings.TrimSuffix(filepath.Base(name), ".md")
		if topic == "README" || topic == "index" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		blocks := parse(string(text))
		if len(blocks) == 0 || blocks[0].kind != heading || blocks[0].level != 1 {
			return nil, fmt.Errorf("%s does not begin with a heading of level 1", name)
		}
		list = append(list, source{topic: topic, title: unmarked(blocks[0].text, false), blocks: blocks})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no pages in %s", docs)
	}
	return list, nil
}

// pages renders the user pages for the binary.
func pages(docs string) (list []manual.Page, err error) {
	all, err := sources(docs)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		list = append(list, manual.Page{Topic: s.topic, Title: s.title, Text: renderText(s.blocks)})
	}
	return list, nil
}

func writePages(docs, name string) error {
	list, err := pages(docs)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(w).Encode(list); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
