package mcp

import (
	"context"
	"encoding/json"
	"slices"

	"pi/internal/run"
)

// The supported revisions, newest first. The list is that of the official Go SDK
// (github.com/modelcontextprotocol/go-sdk v1.8.0, mcp/shared.go).
var versions = [...]string{statelessVersion, lastInitVersion, "2025-06-18", "2025-03-26", "2024-11-05"}

// What changed with a revision.
const (
	statelessVersion  = "2026-07-28" // no handshake: each request names its revision
	lastInitVersion   = "2025-11-25" // the last one with a handshake
	structuredVersion = "2025-06-18" // results may be structured
	messageVersion    = "2025-03-26" // progress has a message
	lastBatchVersion  = "2025-03-26" // the next one has no batches
)

const methodInitialize = "initialize"

// Keys in the _meta of requests and results.
const (
	keyVersion      = "io.modelcontextprotocol/protocolVersion"
	keyCapabilities = "io.modelcontextprotocol/clientCapabilities"
	keyServerInfo   = "io.modelcontextprotocol/serverInfo"
	keySubscription = "io.modelcontextprotocol/subscriptionId"
)

// A handler handles one request. The result is nil if and only if there is an error.
type handler func(c *conn, ctx context.Context, r *request) (object, *rpcError)

// era says in which revisions a method exists.
type era uint8

const (
	always era = iota
	withInit
	stateless
)

// method returns the handler of a method, and the revisions in which it exists.
func method(name string) (handler, era) {
	switch name {
	case methodInitialize:
		return (*conn).initialize, withInit
	case "ping":
		return (*conn).ping, withInit
	case "server/discover":
		return (*conn).discover, stateless
	case "subscriptions/listen":
		return (*conn).listen, stateless
	case "tools/list":
		return (*conn).listTools, always
	case "tools/call":
		return (*conn).callTool, always
	case "resources/list":
		return (*conn).listResources, always
	case "resources/templates/list":
		return (*conn).listTemplates, always
	case "resources/read":
		return (*conn).readResource, always
	}
	return nil, always
}

// admit determines the revision in which a request is served, and its handler.
func (c *conn) admit(r *request) (handler, *rpcError) {
	if err := c.settleVersion(r); err != nil {
		return nil, err
	}
	handle, when := method(r.Method)
	switch {
	case handle == nil:
		return nil, fault(codeUnknownMethod, "unknown method %q", run.Clip(r.Method, 60))
	case when == withInit && r.modern():
		return nil, fault(codeUnknownMethod, "%s is no part of revision %s", r.Method, r.version)
	case when == stateless && !r.modern():
		return nil, fault(codeUnknownMethod, "%s needs revision %s in _meta", r.Method, statelessVersion)
	case r.batch != nil && (r.modern() || r.Method == methodInitialize):
		return nil, fault(codeInvalidRequest, "%s cannot be part of a batch", r.Method)
	case r.version == "" && r.Method != methodInitialize && r.Method != "ping":
		return nil, fault(codeInvalidRequest, "%s before initialize", r.Method)
	}
	return handle, nil
}

// settleVersion sets the revision of a request: the one it names, else the one that was negotiated.
func (c *conn) settleVersion(r *request) *rpcError {
	r.version = c.agreed()
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if err := r.params(&p); err != nil {
		return err
	}
	said, ok := p.Meta[keyVersion]
	if !ok {
		return nil
	}
	var v string
	if err := json.Unmarshal(said, &v); err != nil {
		return fault(codeInvalidParams, "_meta: %s must be a string", keyVersion)
	}
	switch {
	case v == statelessVersion:
	case slices.Contains(versions[:], v):
		return nil // one with a handshake, which decides
	default:
		e := fault(codeVersion, "unsupported protocol version")
		e.Data = object{"supported": versions, "requested": run.Clip(v, 60)}
		return e
	}
	if caps := p.Meta[keyCapabilities]; len(caps) == 0 || caps[0] != '{' {
		return fault(codeInvalidParams, "_meta: %s must be an object", keyCapabilities)
	}
	r.version = v
	return nil
}

// initialize negotiates the revision: the client's if it is supported, else the newest that has a handshake.
func (c *conn) initialize(_ context.Context, r *request) (object, *rpcError) {
	var p struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	if err := r.params(&p); err != nil {
		return nil, err
	}
	if p.ProtocolVersion == "" {
		return nil, fault(codeInvalidParams, "initialize needs a protocolVersion")
	}
	v := p.ProtocolVersion
	if v == statelessVersion || !slices.Contains(versions[:], v) {
		v = lastInitVersion
	}
	c.mu.Lock()
	again := c.version != ""
	if !again {
		c.version = v
	}
	c.mu.Unlock()
	if again {
		return nil, fault(codeInvalidRequest, "initialize was sent already")
	}
	return object{
		"protocolVersion": v, "serverInfo": c.server.info(), "capabilities": c.server.capabilities(), "instructions": instructions,
	}, nil
}

func (c *conn) discover(context.Context, *request) (object, *rpcError) {
	return lasting(object{"supportedVersions": versions, "capabilities": c.server.capabilities(), "instructions": instructions}), nil
}

func (c *conn) ping(context.Context, *request) (object, *rpcError) { return object{}, nil }

// listen acknowledges a subscription to nothing, because nothing changes by itself, and returns.
func (c *conn) listen(_ context.Context, r *request) (object, *rpcError) {
	var p struct {
		Notifications map[string]json.RawMessage `json:"notifications"`
	}
	if err := r.params(&p); err != nil {
		return nil, err
	}
	if p.Notifications == nil {
		return nil, fault(codeInvalidParams, "subscriptions/listen needs notifications")
	}
	meta := object{keySubscription: r.ID}
	c.out.Reply(notification{"2.0", "notifications/subscriptions/acknowledged", object{"_meta": meta, "notifications": object{}}})
	return object{"_meta": object{keySubscription: r.ID}}, nil
}

const instructions = "bash runs shell commands with bounded output. Output that was left out of a result is a resource, " +
	"artifact://ID; read parts of it with ?lines=A-B, ?head=N, ?tail=N or ?grep=RE."

func (s *Server) info() object {
	return object{"name": "pi", "title": "pi", "version": s.opt.Version}
}

func (s *Server) capabilities() object {
	caps := object{"tools": object{}}
	if s.opt.Store != nil {
		caps["resources"] = object{}
	}
	return caps
}

// lasting marks a result as valid while the server runs, for the revisions that want to know.
func lasting(o object) object {
	o["ttlMs"], o["cacheScope"] = 3_600_000, "public"
	return o
}

// passing marks a result as valid for the moment.
func passing(o object) object {
	o["ttlMs"], o["cacheScope"] = 0, "private"
	return o
}
