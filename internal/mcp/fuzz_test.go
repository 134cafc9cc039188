package mcp

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzDecode: every line is decoded or gets a fault, and the ids of decoded messages can be sent back.
func FuzzDecode(f *testing.F) {
	for _, table := range [][]struct{ name, send, want string }{faults, legacy, modern} {
		for _, x := range table {
			f.Add([]byte(x.send))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		list, isBatch, err := decode(line)
		switch {
		case err != nil && (err.Code == 0 || err.Message == "" || list != nil):
			t.Fatalf("fault %+v with %d messages", err, len(list))
		case err == nil && len(list) == 0, err == nil && !isBatch && len(list) != 1:
			t.Fatalf("%d messages", len(list))
		}
		for _, m := range list {
			switch m.kind {
			case kindFault:
				if m.fault == nil {
					t.Fatal("a fault without a reason")
				}
			case kindRequest:
				if len(m.ID) == 0 || !json.Valid(m.ID) {
					t.Fatalf("id %q", m.ID)
				}
			}
			if m.Params != nil && (m.Params[0] != '{' || !json.Valid(m.Params)) {
				t.Fatalf("params %q", m.Params)
			}
		}
	})
}

// FuzzServe: whatever a client sends, the server answers with lines of valid JSON-RPC and goes on.
func FuzzServe(f *testing.F) {
	for _, table := range [][]struct{ name, send, want string }{faults, legacy, modern} {
		for _, x := range table {
			if harmless(x.send) {
				f.Add([]byte(x.send))
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if !harmless(string(line)) {
			return
		}
		c := open(t, Options{Engine: waiting{engine(t, nil)}}, "2025-03-26")
		c.write(string(line) + "\n" + `{"jsonrpc":"2.0","id":"the last","method":"ping"}`)
		for {
			got := c.line()
			if !json.Valid([]byte(got)) || !utf8.ValidString(got) || !strings.Contains(got, `"jsonrpc":"2.0"`) {
				t.Fatalf("got %q", got)
			}
			if got == `{"jsonrpc":"2.0","id":"the last","result":{}}` {
				return
			}
		}
	})
}

// harmless reports whether a line runs no command and does not mention the last ping.
func harmless(line string) bool {
	return !strings.Contains(line, "bash") && !strings.Contains(line, `\u`) && !strings.Contains(line, "last")
}
