// Package toolcalltest helps to test that a call arrives whole, whichever way it takes: [Full] has every argument set,
// and a [Recorder] is the engine at the far end.
package toolcalltest

import (
	"context"
	"encoding/json"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pi/internal/run"
	"pi/internal/toolcall"
)

// valid are the values of arguments that have a form to keep. All others get a value by their kind.
func valid() toolcall.Args {
	seconds := 7.5
	return toolcall.Args{
		Command: "true", Cwd: "/usr", Env: map[string]string{"A": "one two", "B": ""}, Timeout: &seconds, Session: "full", SessionCwd: "/",
		Encoding: "utf8", Settings: json.RawMessage(`{"tools":["x"]}`),
	}
}

// Full returns arguments of which every field is set, fields added later included.
func Full(t testing.TB) toolcall.Args {
	t.Helper()
	a := valid()
	v := reflect.ValueOf(&a).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.IsZero() {
			fill(t, v.Type().Field(i).Name, f)
		}
	}
	return a
}

func fill(t testing.TB, name string, f reflect.Value) {
	t.Helper()
	switch f.Kind() {
	case reflect.Bool:
		f.SetBool(true)
	case reflect.Int, reflect.Int64:
		f.SetInt(int64(len(name)))
	case reflect.Float64:
		f.SetFloat(1.5)
	case reflect.String:
		f.SetString(name)
	case reflect.Slice:
		f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		fill(t, name, f.Index(0))
	case reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
		fill(t, name, f.Elem())
	default:
		t.Fatalf("Args.%s: give it a value in valid, no field may be left out", name)
	}
}

// Call converts arguments that are right.
func Call(t testing.TB, a toolcall.Args) toolcall.Call {
	t.Helper()
	c, err := a.Call()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Diff describes what differs between two calls; "" for nothing. What belongs to a process and does not travel, is not
// compared.
func Diff(want, got toolcall.Call) string {
	return cmp.Diff(local(want), local(got))
}

// local removes what does not travel.
func local(c toolcall.Call) toolcall.Call {
	q := &c.Request
	q.Live, q.Force, q.Stdin, q.PTY, q.Since = run.Live{}, nil, nil, nil, time.Time{}
	return c
}

// Recorder is an engine that runs nothing and keeps the calls that arrive.
type Recorder struct {
	mu    sync.Mutex
	calls []toolcall.Call
}

// Run implements [toolcall.Runner].
func (r *Recorder) Run(_ context.Context, c toolcall.Call) (run.Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, c)
	return run.Result{Content: []run.Content{{Type: "text"}}}, nil
}

// Last returns the newest call.
func (r *Recorder) Last(t testing.TB) toolcall.Call {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.calls) == 0 {
		t.Fatal("no call arrived")
	}
	return r.calls[len(r.calls)-1]
}

// Sessions implements [toolcall.Engine].
func (*Recorder) Sessions() []run.SessionInfo { return nil }

// CloseSession implements [toolcall.Engine].
func (*Recorder) CloseSession(string) bool { return false }

// Close implements [toolcall.Engine].
func (*Recorder) Close() {}
