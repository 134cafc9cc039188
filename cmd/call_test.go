package cmd

import (
	"os"
	"reflect"
	"testing"

	"github.com/spf13/cobra"

	"pi/internal/toolcall"
	"pi/internal/toolcall/toolcalltest"
)

// argumentFlags are the flags of pi run that set an argument to the value it has in toolcalltest.Full.
var argumentFlags = map[string][]string{
	"Cwd":         {"-C", "/usr"},
	"Env":         {"-e", "A=one two", "-e", "B="},
	"Timeout":     {"-t", "7.5"},
	"Head":        {"--head", "4"},
	"Tail":        {"--tail", "4"},
	"Session":     {"--session", "full"},
	"NoWait":      {"--no-wait"},
	"Tools":       {"--tools", "Tools"},
	"MaxBytes":    {"--max-bytes", "1KiB"},
	"NoNormalize": {"--no-normalize"},
	"NoIntercept": {"--no-intercept"},
}

// withoutFlag are the arguments that no flag sets, with the reason.
var withoutFlag = map[string]string{
	"Command":    "the words behind the flags",
	"SessionCwd": "pi's own working directory",
	"Encoding":   "command lines hold any byte",
	"Settings":   "the configuration",
}

// TestEveryArgumentHasAFlag: pi run can say all that a call holds.
func TestEveryArgumentHasAFlag(t *testing.T) {
	full := toolcalltest.Full(t)
	dir := t.TempDir()
	t.Chdir(dir)
	full.SessionCwd, full.Settings, full.MaxBytes = dir, nil, 1024
	var line []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[toolcall.Args]()) {
		flags, reason := argumentFlags[f.Name], withoutFlag[f.Name]
		if (flags == nil) == (reason == "") {
			t.Errorf("Args.%s: want either a flag in argumentFlags or a reason in withoutFlag", f.Name)
		}
		line = append(line, flags...)
	}
	env := &Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ()}
	var o runOptions
	c := &cobra.Command{}
	o.serve(c, env)
	o.runFlags(c)
	if err := c.ParseFlags(append(line, "--", full.Command)); err != nil {
		t.Fatal(err)
	}
	o.toolsGiven, o.timeoutGiven = c.Flags().Changed("tools"), c.Flags().Changed("timeout")
	got, err := o.call(env, c.Flags().Args())
	if err != nil {
		t.Fatal(err)
	}
	if diff := toolcalltest.Diff(toolcalltest.Call(t, full), got); diff != "" {
		t.Error(diff)
	}
}
