package sessiond

import (
	"bytes"
	"encoding/json"
	"testing"

	"pi/internal/rpc/rpctest"
)

// TestExchanges plays the recorded exchanges of the protocol against a session daemon, as far as they are about frames,
// commands and aborts. Every command that a client sends to a daemon has settings, and a tool_call has a session.
func TestExchanges(t *testing.T) {
	for _, name := range []string{"frames", "commands", "control"} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.run("true") // starts the daemon
			p, err := h.openDir(false)
			if err != nil {
				t.Fatal(err)
			}
			defer p.close()
			conn, _, err := p.dial("x")
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			settings, err := json.Marshal(h.call("").Config)
			if err != nil {
				t.Fatal(err)
			}
			player := rpctest.Player{Dir: t.TempDir(), Rewrite: func(line []byte) []byte { return forDaemon(line, settings) }}
			player.Start(conn, conn)
			for _, x := range rpctest.Load(t, "../rpc/testdata/exchanges/"+name+".txt") {
				t.Run(x.Name, func(t *testing.T) { player.Play(t, x) })
			}
		})
	}
}

// forDaemon adds what a daemon needs to a request that runs a command; other lines stay as they are.
func forDaemon(line, settings []byte) []byte {
	var kind struct {
		Type string                     `json:"type"`
		Args map[string]json.RawMessage `json:"args"`
	}
	if !bytes.HasSuffix(line, []byte("}\n")) || json.Unmarshal(line, &kind) != nil {
		return line
	}
	extra := append([]byte(`"settings":`), settings...)
	switch {
	case kind.Type == "bash":
		return append(append(append(bytes.TrimSuffix(line, []byte("}\n")), ','), extra...), "}\n"...)
	case kind.Type == "tool_call" && kind.Args["command"] != nil:
		return bytes.Replace(line, []byte(`"args":{`), append(append([]byte(`"args":{"session":"x",`), extra...), ','), 1)
	}
	return line
}
