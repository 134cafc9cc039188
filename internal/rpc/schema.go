package rpc

import _ "embed"

// Schema is the JSON Schema of all messages.
//
//go:embed rpc.schema.json
var Schema string
