package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary act as pi: scripts run it as `pi`, and pi starts its helper processes from it.
func TestMain(m *testing.M) {
	if code, done := runHidden(os.Args[1:]); done {
		os.Exit(code)
	}
	if fault := os.Getenv("PI_TEST_FAULT"); fault != "" {
		testFault = func(where string) {
			if where == fault {
				panic("a fault in " + where)
			}
		}
	}
	testscript.Main(m, map[string]func(){"pi": func() { os.Exit(Main()) }})
}

// TestScript runs the scripts in testdata/script. Each has its own home, configuration directory and artifact store,
// and none of the caller's PI_ variables.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("PI_UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Vars = append(e.Vars, "HOME="+home, "SHELL=/bin/bash", "LANG=C.UTF-8", "TERM=dumb",
				"XDG_CONFIG_HOME="+filepath.Join(e.WorkDir, "cfg"), "XDG_STATE_HOME="+filepath.Join(e.WorkDir, "state"))
			for i, v := range e.Vars {
				if strings.HasPrefix(v, "PI_") {
					e.Vars[i] = "UNUSED="
				}
			}
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": cmdCode,
		},
	})
}

// cmdCode runs a program and checks its exit status: code N pi run -- …
func cmdCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program args…")
	}
	err := ts.Exec(args[1], args[2:]...)
	if got := exitCode(err); got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}
