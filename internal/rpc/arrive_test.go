//go:build unix

package rpc

import (
	"encoding/json"
	"testing"

	"pi/internal/toolcall/toolcalltest"
)

// TestEveryArgumentArrives sends a tool_call with every argument set over a stream and looks at the engine's call.
func TestEveryArgumentArrives(t *testing.T) {
	full := toolcalltest.Full(t)
	engine := &toolcalltest.Recorder{}
	c := serveOn(t, engine)
	line, err := json.Marshal(Request{ID: "1", Type: TypeToolCall, Tool: "bash", Args: &Args{Args: full}})
	if err != nil {
		t.Fatal(err)
	}
	c.write(string(line) + "\n")
	c.reply()
	if diff := toolcalltest.Diff(toolcalltest.Call(t, full), engine.Last(t)); diff != "" {
		t.Error(diff)
	}
}
