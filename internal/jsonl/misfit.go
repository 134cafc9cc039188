package jsonl

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Misfit says of an error of decoding an object that a value is of the wrong kind: that of a field, which is named, or
// the whole, which goes by the name given. It is nil for other errors.
func Misfit(err error, whole string) error {
	var t *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &t):
		return nil
	case t.Field == "":
		return fmt.Errorf("%s must be an object", whole)
	}
	return fmt.Errorf("%s: a JSON %s does not fit", t.Field, t.Value)
}
