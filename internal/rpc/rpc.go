// Package rpc is pi's server for programs: commands, sessions and terminals as JSON lines, one object a line in both
// directions.
//
// A client sends requests, {"id":…,"type":…,…}, and may have any number of them in flight. Every request gets exactly one
// reply, {"id":…,"type":"response","command":TYPE,"success":…,"data":…|"error":…}, and events before it. A line that
// cannot be understood gets an error reply, and the connection goes on. docs/rpc.md describes every message;
// [requestTypes] is the table of the requests.
//
// The server works over any stream: standard input and output of pi rpc, or the private socket of a session daemon. When
// the stream ends, everything its client started is terminated. A client that does not read costs a bounded amount of
// memory: newer updates replace older ones, text makes the command wait as a full pipe would, and neither delays a timeout
// or an abort.
package rpc

// Protocol is the number of this protocol. It changes when an old client would misunderstand a new server.
const Protocol = 2

// Bounds of one connection.
const (
	maxRuns      = 256       // commands at once
	maxOthers    = 64        // further requests at once, quick ones not counted
	defaultShown = 50 << 10  // bytes of output a command shows if neither it nor the server says more
	maxShown     = 16 << 20  // bytes that all commands at once may show; beyond, a command waits for others to end
	maxResults   = 4 << 20   // bytes of unsent replies; beyond, results wait
	maxReplies   = 8 << 20   // bytes of unsent replies; beyond, no further request is read
	maxText      = 256 << 10 // bytes of a command's unsent text; beyond, the command waits
	maxEvents    = 4 << 20   // bytes of unsent events of all commands; beyond, text waits and updates are dropped
	maxUpdate    = 50 << 10  // bytes of the text of an update
	maxPartial   = 4 << 10   // bytes of an unfinished line
)

// Error codes that programs tell apart.
const (
	CodeNotFound = "not_found" // no such artifact or terminal
	CodeVersion  = "version"   // the client is another build of pi
)
