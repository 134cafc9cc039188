package jsonl

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Misfit describes the error of decoding an object in which a value has the wrong kind. It names the field, or uses the
// name given for the whole object. It returns nil for other errors.
func Misfit(err error, whole string) error {
	var t *json.UnmarshalTypeError
	if !errors.As(err, &t) {
		return nil
	}
	field := t.Field
	for field != "" && field[0] >= 'A' && field[0] <= 'Z' { // an embedded struct, of which JSON knows nothing
		_, field, _ = strings.Cut(field, ".")
	}
	if field == "" {
		return fmt.Errorf("%s must be an object", whole)
	}
	return fmt.Errorf("%s: a JSON %s does not fit", field, t.Value)
}
