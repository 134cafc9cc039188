package rpc

import _ "embed" // for Schema

//go:generate go test . -run ^TestSchemaIsCurrent$ -update

// Schema is the JSON Schema of all messages, generated from their types.
//
//go:embed rpc.schema.json
var Schema string
