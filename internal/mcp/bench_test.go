package mcp

import "testing"

// BenchmarkDecode decodes a call.
func BenchmarkDecode(b *testing.B) {
	line := []byte(call(`1`, "make test 2>&1 | tail -n 20", `,"timeout":90,"cwd":"/usr/src"`))
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if list, _, err := decode(line); err != nil || list[0].kind != kindRequest {
			b.Fatal(err)
		}
	}
}

// BenchmarkPing is a request and its reply.
func BenchmarkPing(b *testing.B) {
	c := open(b, Options{Engine: engine(b, nil)}, "2025-11-25")
	b.ReportAllocs()
	for b.Loop() {
		c.write(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		c.line()
	}
}
