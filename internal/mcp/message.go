package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"pi/internal/jsonl"
)

// Error codes of JSON-RPC 2.0 and of the protocol.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeUnknownMethod  = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeNoResource     = -32002 // up to 2025-11-25; later it is codeInvalidParams
	codeVersion        = -32022 // since 2026-07-28
)

// rpcError is the error object of a response.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// response is the answer to a request.
type response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`               // null when the request had none that could be read
	Result  any             `json:"result,omitempty"` // nil: there is an error
	Error   *rpcError       `json:"error,omitempty"`
}

// notification is a message to the client that gets no reply.
type notification struct {
	JSONRPC string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  object `json:"params"`
}

// kind is what a message turned out to be.
type kind uint8

const (
	kindFault        kind = iota // invalid; gets an error reply
	kindRequest                  // gets a reply
	kindNotification             // gets none
	kindResponse                 // to a request that was never sent; ignored
)

// message is one message of a client.
type message struct {
	kind   kind
	fault  *rpcError
	ID     json.RawMessage // in the form that replies repeat; nil: none
	Method string
	Params json.RawMessage // an object, or nil
}

// maxBatch bounds the messages of a batch.
const maxBatch = 1000

// decode parses a line into its message, or the messages of a batch. The error is about the line as a whole.
func decode(line []byte) (list []message, isBatch bool, err *rpcError) {
	switch {
	case !utf8.Valid(line):
		return nil, false, fault(codeParse, "line is not valid UTF-8")
	case !json.Valid(line):
		return nil, false, notJSON(line)
	}
	if line = bytes.TrimLeft(line, " \t\r"); line[0] != '[' {
		return []message{decodeOne(line)}, false, nil
	}
	var parts []json.RawMessage
	if e := json.Unmarshal(line, &parts); e != nil {
		return nil, true, fault(codeParse, "%v", e)
	}
	if len(parts) == 0 || len(parts) > maxBatch {
		return nil, true, fault(codeInvalidRequest, "a batch has 1 to %d messages", maxBatch)
	}
	for _, p := range parts {
		list = append(list, decodeOne(p))
	}
	return list, true, nil
}

func notJSON(line []byte) *rpcError {
	var v any
	err := json.Unmarshal(line, &v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fault(codeParse, "line is not valid JSON: %v (at byte %d)", err, syntax.Offset)
	}
	return fault(codeParse, "line is not valid JSON: %v", err)
}

// decodeOne parses one JSON value as a message.
func decodeOne(text []byte) message {
	var w struct {
		JSONRPC json.RawMessage `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  json.RawMessage `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	bad := func(format string, args ...any) message {
		return message{kind: kindFault, ID: jsonl.ID(w.ID), fault: fault(codeInvalidRequest, format, args...)}
	}
	if json.Unmarshal(text, &w) != nil {
		return bad("message is no object")
	}
	if string(w.JSONRPC) != `"2.0"` {
		return bad(`message is not JSON-RPC 2.0: want "jsonrpc":"2.0"`)
	}
	if w.Method == nil {
		if w.ID != nil && (w.Result != nil || w.Error != nil) {
			return message{kind: kindResponse}
		}
		return bad("message has no method")
	}
	m := message{kind: kindRequest, ID: jsonl.ID(w.ID)}
	switch err := json.Unmarshal(w.Method, &m.Method); {
	case err != nil || string(w.Method) == "null":
		return bad("method must be a string")
	case w.ID == nil:
		m.kind = kindNotification
	case m.ID == nil:
		return bad("id must be a string or a number of at most %d bytes", jsonl.MaxID)
	}
	switch {
	case w.Params == nil || string(w.Params) == "null":
	case w.Params[0] == '{':
		m.Params = bytes.Clone(w.Params)
	case m.kind == kindRequest:
		return message{kind: kindFault, ID: m.ID, fault: fault(codeInvalidParams, "params must be an object")}
	}
	m.ID = bytes.Clone(m.ID)
	return m
}

// params decodes a request's parameters into v. If there are none, v stays as it is.
func (m *message) params(v any) *rpcError {
	if m.Params == nil {
		return nil
	}
	err := json.Unmarshal(m.Params, v)
	if err == nil {
		return nil
	}
	if misfit := jsonl.Misfit(err, "params"); misfit != nil {
		return fault(codeInvalidParams, "%v", misfit)
	}
	return fault(codeInvalidParams, "params: %v", err)
}
