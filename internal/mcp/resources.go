package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"pi/internal/artifact"
	"pi/internal/run"
)

const (
	scheme   = "artifact://"
	mimeType = "text/plain"
	pageSize = 50 // resources in one reply
)

// listTemplates returns the URI template for parts of artifacts (RFC 6570).
func (c *conn) listTemplates(context.Context, *request) (object, *rpcError) {
	list := []object{}
	if c.server.opt.Store != nil {
		list = append(list, object{
			"uriTemplate": scheme + "{id}{?lines,bytes,head,tail,grep}", "name": "artifact", "title": "Saved output of a command",
			"description": "The whole output of a command, or a part: lines=A-B or bytes=A-B (counted from 1, ends included), head=N, tail=N, grep=RE (RE2). id may be last.",
			"mimeType":    mimeType,
		})
	}
	return lasting(object{"resourceTemplates": list}), nil
}

// listResources lists artifacts, newest first. The cursor holds the number of artifacts on earlier pages and the last of
// them, so that artifacts created meanwhile shift nothing.
func (c *conn) listResources(_ context.Context, r *request) (object, *rpcError) {
	var p struct {
		Cursor *string `json:"cursor"`
	}
	if err := r.params(&p); err != nil {
		return nil, err
	}
	var skip int
	var below int64
	if p.Cursor != nil {
		a, b, _ := strings.Cut(*p.Cursor, "-")
		n, err := strconv.ParseUint(a, 10, 30)
		id, err2 := strconv.ParseUint(b, 10, 62)
		if err != nil || err2 != nil || id == 0 {
			return nil, fault(codeInvalidParams, "cursor %q is not from this server", run.Clip(*p.Cursor, 60))
		}
		skip, below = int(n), int64(id)
	}
	list, next := []object{}, ""
	if c.server.opt.Store != nil {
		metas, all, err := c.server.opt.Store.List(skip + pageSize)
		if err != nil {
			return nil, fault(codeInternal, "%v", err)
		}
		for _, m := range metas[min(skip, len(metas)):] {
			if id, _ := strconv.ParseInt(m.ID, 10, 64); below == 0 || id < below {
				list = append(list, describe(m))
			}
		}
		if len(metas) > 0 && all > len(metas) {
			next = fmt.Sprintf("%d-%s", len(metas), metas[len(metas)-1].ID)
		}
	}
	o := passing(object{"resources": list})
	if next != "" {
		o["nextCursor"] = next
	}
	return o, nil
}

func describe(m artifact.Meta) object {
	o := object{
		"uri": scheme + m.ID, "name": m.ID, "title": run.Clip(strings.Join(strings.Fields(m.Command), " "), 100), "mimeType": mimeType, "size": m.StoredBytes,
		"description": fmt.Sprintf("%s, in %s, %s", m.Status, m.Cwd, m.StartedAt.Format(time.RFC3339)),
	}
	when := m.EndedAt
	if when.IsZero() {
		when = m.StartedAt
	}
	o["annotations"] = object{"lastModified": when.UTC().Format(time.RFC3339)}
	return o
}

// readResource returns an artifact or a part of it: at most maxResource bytes, with a line that says how to continue.
func (c *conn) readResource(_ context.Context, r *request) (object, *rpcError) {
	var p struct {
		URI string `json:"uri"`
	}
	if err := r.params(&p); err != nil {
		return nil, err
	}
	ref, sel, err := parseURI(p.URI)
	if err != nil {
		return nil, fault(codeInvalidParams, "%v", err)
	}
	if c.server.opt.Store == nil {
		return nil, fault(r.noResource(), "no artifacts are kept")
	}
	meta, err := c.server.opt.Store.Meta(ref)
	if err == nil {
		ref, err = artifact.ParseRef(meta.ID) // "last" may mean another one by now
	}
	var w limited
	var done artifact.Copied
	if err == nil {
		done, err = c.server.opt.Store.Copy(&w, ref, sel)
	}
	var missing *artifact.NotFoundError
	switch {
	case errors.As(err, &missing):
		e := fault(r.noResource(), "%v", err)
		e.Data = object{"uri": p.URI}
		return nil, e
	case err != nil && !errors.Is(err, errFull):
		return nil, fault(codeInternal, "%v", err)
	}
	content := object{"uri": p.URI, "mimeType": mimeType, "text": w.text() + remark(ref, sel, done, &w)}
	return passing(object{"contents": []object{content}}), nil
}

// noResource returns the code for a resource that does not exist.
func (r *request) noResource() int {
	if r.modern() {
		return codeInvalidParams
	}
	return codeNoResource
}

// parseURI parses artifact://ID?lines=A-B and the like.
func parseURI(uri string) (ref artifact.Ref, sel artifact.Selection, err error) {
	name, query, _ := strings.Cut(uri, "?")
	id, ok := strings.CutPrefix(name, scheme)
	if !ok {
		return ref, sel, fmt.Errorf("resource %q: want artifact://ID", run.Clip(uri, 60))
	}
	if ref, err = artifact.ParseRef(id); err != nil {
		return ref, sel, err
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return ref, sel, fmt.Errorf("resource %q: %w", run.Clip(uri, 60), err)
	}
	for name, v := range values {
		if len(v) > 1 {
			return ref, sel, fmt.Errorf("resource %q: %s is there more than once", run.Clip(uri, 60), run.Clip(name, 60))
		}
		if err := choose(&sel, name, v[0]); err != nil {
			return ref, sel, fmt.Errorf("resource %q: %w", run.Clip(uri, 60), err)
		}
	}
	if err := sel.Validate(); err != nil {
		return ref, sel, fmt.Errorf("resource %q: %w", run.Clip(uri, 60), err)
	}
	return ref, sel, nil
}

func choose(sel *artifact.Selection, name, value string) (err error) {
	span := func() *artifact.Span {
		s, e := artifact.ParseSpan(value)
		err = e
		return &s
	}
	count := func() *int64 {
		n, e := strconv.ParseInt(value, 10, 64)
		if e != nil {
			err = fmt.Errorf("%s: %q is no number", name, run.Clip(value, 60))
		}
		return &n
	}
	switch name {
	case "lines":
		sel.Lines = span()
	case "bytes":
		sel.Bytes = span()
	case "head":
		sel.Head = count()
	case "tail":
		sel.Tail = count()
	case "grep":
		sel.Grep, err = regexp.Compile(value)
		sel.Number = true
	default:
		err = fmt.Errorf("unknown part %q; there are lines, bytes, head, tail and grep", run.Clip(name, 60))
	}
	return err
}

// errFull means that enough was written.
var errFull = errors.New("enough")

// limited is a writer that keeps maxResource bytes.
type limited struct {
	buf  bytes.Buffer
	full bool
}

func (w *limited) Write(p []byte) (int, error) {
	room := maxResource - w.buf.Len()
	if len(p) <= room {
		return w.buf.Write(p)
	}
	w.full = true
	n, _ := w.buf.Write(p[:room])
	return n, errFull
}

// text returns what was kept. If that is not all, it ends at the last line end, or else after the last whole character.
func (w *limited) text() string {
	b := w.buf.Bytes()
	if !w.full {
		return string(b)
	}
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		return string(b[:i+1])
	}
	for cut := len(b); cut > len(b)-utf8.UTFMax; cut-- {
		if r, size := utf8.DecodeLastRune(b[:cut]); r != utf8.RuneError || size != 1 {
			return string(b[:cut])
		}
	}
	return string(b)
}

// remark returns the line that says what a text does not show; empty if it shows everything.
func remark(ref artifact.Ref, sel artifact.Selection, done artifact.Copied, w *limited) string {
	switch {
	case w.full && (sel == artifact.Selection{} || sel.Bytes != nil || sel.Head != nil):
		from := int64(1)
		if sel.Bytes != nil {
			from = sel.Bytes.From
		}
		next := from + int64(len(w.text()))
		return fmt.Sprintf("\n[%d bytes shown. Go on with artifact://%s?bytes=%d-]", next-from, ref, next)
	case w.full && sel.Lines != nil && sel.Grep == nil:
		next := sel.Lines.From + int64(strings.Count(w.text(), "\n"))
		if next == sel.Lines.From {
			return fmt.Sprintf("\n[The first %d bytes of line %d shown. The rest of it can be read by bytes]", len(w.text()), next)
		}
		return fmt.Sprintf("\n[Lines %d-%d shown. Go on with artifact://%s?lines=%d-]", sel.Lines.From, next-1, ref, next)
	case w.full:
		return fmt.Sprintf("\n[%d bytes shown, there is more. Ask for less]", len(w.text()))
	case done.PastEnd && sel.Lines != nil:
		return fmt.Sprintf("[artifact %s has %d lines]", ref, done.Lines)
	case done.PastEnd:
		return fmt.Sprintf("[artifact %s has %d bytes]", ref, done.Size)
	case sel.Grep != nil && done.Matches == 0:
		return "[no line matches]"
	}
	return ""
}
