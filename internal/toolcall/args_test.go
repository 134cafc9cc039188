package toolcall_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pi/internal/run"
	"pi/internal/toolcall"
	"pi/internal/toolcall/toolcalltest"
)

// TestEveryArgumentReachesTheCall removes one argument after the other: the call must change each time.
func TestEveryArgumentReachesTheCall(t *testing.T) {
	full := toolcalltest.Full(t)
	want := toolcalltest.Call(t, full)
	for _, f := range reflect.VisibleFields(reflect.TypeOf(full)) {
		if f.Name == "Encoding" { // says how the others are written
			continue
		}
		less := full
		reflect.ValueOf(&less).Elem().FieldByIndex(f.Index).SetZero()
		got, err := less.Call()
		if err == nil && toolcalltest.Diff(want, got) == "" {
			t.Errorf("Args.Call does not carry %s", f.Name)
		}
	}
}

// notSent are the fields of a request that mean something in one process only.
var notSent = map[string]string{
	"Since": "a time of this process", "Stdin": "an open file", "PTY": "a terminal of this process", "Live": "functions", "Force": "a channel",
}

// TestEveryFieldOfACallReachesTheArguments is the way back: every field of a Call and its Request is sent, or listed in
// notSent.
func TestEveryFieldOfACallReachesTheArguments(t *testing.T) {
	full := toolcalltest.Call(t, toolcalltest.Full(t))
	want := full.Args()
	check := func(fields reflect.Type, of func(*toolcall.Call) reflect.Value) {
		for _, f := range reflect.VisibleFields(fields) {
			if notSent[f.Name] != "" || f.Name == "Request" || f.Name == "TimeoutSet" { // TimeoutSet: see TestRoundTrip
				continue
			}
			less := full
			v := of(&less).FieldByIndex(f.Index)
			if v.IsZero() {
				t.Errorf("%s is not set by any argument", f.Name)
			}
			v.SetZero()
			if cmp.Diff(want, less.Args()) == "" {
				t.Errorf("Call.Args does not send %s", f.Name)
			}
		}
	}
	check(reflect.TypeFor[toolcall.Call](), func(c *toolcall.Call) reflect.Value { return reflect.ValueOf(c).Elem() })
	check(reflect.TypeFor[run.Request](), func(c *toolcall.Call) reflect.Value { return reflect.ValueOf(&c.Request).Elem() })
}

// TestRoundTrip sends calls as JSON.
func TestRoundTrip(t *testing.T) {
	request := func(q run.Request) toolcall.Call { return toolcall.Call{Request: q, Busy: run.BusyWait} }
	for name, c := range map[string]toolcall.Call{
		"everything":      toolcalltest.Call(t, toolcalltest.Full(t)),
		"nothing":         request(run.Request{}),
		"not UTF-8":       {Request: run.Request{Command: "echo \xff", Cwd: "/\xfe", Env: []string{"A=\xfd", "B=plain"}}, SessionCwd: "/\xfc", Busy: run.BusyWait},
		"a zero timeout":  request(run.Request{TimeoutSet: true}),
		"no tools at all": request(run.Request{Tools: []string{}}),
	} {
		t.Run(name, func(t *testing.T) {
			line, err := json.Marshal(c.Args())
			if err != nil {
				t.Fatal(err)
			}
			var a toolcall.Args
			if err := json.Unmarshal(line, &a); err != nil {
				t.Fatal(err)
			}
			if diff := toolcalltest.Diff(c, toolcalltest.Call(t, a)); diff != "" {
				t.Error(diff)
			}
		})
	}
	local := request(run.Request{Stdin: os.Stdin, Since: time.Now(), PTY: &run.PTY{}, Force: make(chan struct{})})
	if diff := cmp.Diff(toolcall.Args{}, local.Args()); diff != "" {
		t.Errorf("sent what belongs to this process: %s", diff)
	}
}

func TestWrongArguments(t *testing.T) {
	seconds := func(s float64) *float64 { return &s }
	for _, c := range []struct {
		name string
		args toolcall.Args
		want string
	}{
		{"encoding", toolcall.Args{Encoding: "latin1"}, `encoding: "latin1" is neither utf8 nor base64`},
		{"base64 of a command", toolcall.Args{Encoding: "base64", Command: "?"}, "command: illegal base64 data"},
		{"base64 of a directory", toolcall.Args{Encoding: "base64", Cwd: "?"}, "cwd: illegal base64 data"},
		{"base64 of a session's directory", toolcall.Args{Encoding: "base64", SessionCwd: "?"}, "sessionCwd: illegal base64 data"},
		{"base64 of a variable", toolcall.Args{Encoding: "base64", Env: map[string]string{"A": "?"}}, "env: A: illegal base64 data"},
		{"head", toolcall.Args{Head: -1}, "head, tail and maxBytes cannot be negative"},
		{"tail", toolcall.Args{Tail: -1}, "head, tail and maxBytes cannot be negative"},
		{"bytes", toolcall.Args{MaxBytes: -1}, "head, tail and maxBytes cannot be negative"},
		{"timeout", toolcall.Args{Timeout: seconds(-1)}, "timeout cannot be negative"},
		{"variable", toolcall.Args{Env: map[string]string{"1A": "x"}}, "a name has letters, digits and _"},
		{"session", toolcall.Args{Session: "a b"}, `session "a b": a name has 1 to 64 letters`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := c.args.Call(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if c, err := (toolcall.Args{Timeout: seconds(1e300)}).Call(); err != nil || c.Request.Timeout < run.MaxTimeout {
		t.Errorf("a huge timeout: %v, %v", c.Request.Timeout, err)
	}
}

func TestSessionNames(t *testing.T) {
	for name, good := range map[string]bool{
		"a": true, "web-1.2_x": true, "-": true, "A..b": true, strings.Repeat("n", 64): true,
		"": false, ".": false, "..": false, ".a": false, "a/b": false, "a b": false, "ä": false, "a\n": false, strings.Repeat("n", 65): false,
	} {
		if err := toolcall.CheckSessionName(name); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}
