// Package internal has no code of its own; its test pins who may import whom.
package internal

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed lists, for every room, the rooms it may import directly. Arrows point down.
var allowed = map[string][]string{
	"pi":                             {"pi/cmd"},
	"pi/examples/go":                 {},
	"pi/internal/environ":            {},
	"pi/internal/config":             {"pi/internal/environ"},
	"pi/internal/shelltext":          {},
	"pi/internal/normalize":          {"pi/internal/shelltext"},
	"pi/internal/intercept":          {"pi/internal/shelltext", "pi/internal/intercept/jsregexp"},
	"pi/internal/intercept/jsregexp": {},
	"pi/internal/self":               {},
	"pi/internal/ps":                 {"pi/internal/self"},
	"pi/internal/sink":               {},
	"pi/internal/artifact":           {"pi/internal/environ"},
	"pi/internal/keys":               {},
	"pi/internal/vt":                 {},
	"pi/internal/console": {"pi/internal/console/tty", "pi/internal/environ", "pi/internal/keys", "pi/internal/run", "pi/internal/sink",
		"pi/internal/vt"},
	"pi/internal/console/tty":     {},
	"pi/internal/console/keyview": {"pi/internal/console/tty", "pi/internal/keys"},
	"pi/internal/drain":           {},
	"pi/internal/pty":             {"pi/internal/drain", "pi/internal/ps", "pi/internal/shelltext"},
	"pi/internal/shell":           {"pi/internal/drain", "pi/internal/environ", "pi/internal/ps", "pi/internal/shell/embedded", "pi/internal/shelltext"},
	"pi/internal/shell/embedded":  {"pi/internal/drain", "pi/internal/ps", "pi/internal/self"},
	"pi/internal/shell/snapshot":  {"pi/internal/environ", "pi/internal/ps", "pi/internal/shell", "pi/internal/shelltext"},
	"pi/internal/shell/session": {"pi/internal/drain", "pi/internal/environ", "pi/internal/ps", "pi/internal/shell", "pi/internal/shell/snapshot",
		"pi/internal/shelltext"},
	"pi/internal/run": {"pi/internal/artifact", "pi/internal/config", "pi/internal/environ", "pi/internal/intercept", "pi/internal/normalize",
		"pi/internal/ps", "pi/internal/pty", "pi/internal/self", "pi/internal/shell", "pi/internal/shell/embedded", "pi/internal/shell/session",
		"pi/internal/shell/snapshot", "pi/internal/sink", "pi/internal/vt"},
	"pi/internal/present": {"pi/internal/console", "pi/internal/console/tty", "pi/internal/environ", "pi/internal/run", "pi/internal/self", "pi/internal/sink",
		"pi/internal/vt"},
	"pi/internal/doctor": {"pi/internal/artifact", "pi/internal/config", "pi/internal/environ", "pi/internal/ps", "pi/internal/run",
		"pi/internal/shell", "pi/internal/shell/embedded"},
	"pi/internal/jsonl":                 {},
	"pi/internal/toolcall":              {"pi/internal/environ", "pi/internal/run"},
	"pi/internal/rpc":                   {"pi/internal/artifact", "pi/internal/jsonl", "pi/internal/run", "pi/internal/sink", "pi/internal/toolcall"},
	"pi/internal/mcp":                   {"pi/internal/artifact", "pi/internal/jsonl", "pi/internal/run", "pi/internal/sink", "pi/internal/toolcall"},
	"pi/internal/agents":                {"pi/internal/environ", "pi/internal/self", "pi/internal/shelltext"},
	"pi/internal/rpc/rpctest":           {}, // only tests import this and the next three
	"pi/internal/toolcall/toolcalltest": {"pi/internal/run", "pi/internal/toolcall"},
	"pi/internal/schematest":            {},
	"pi/internal/testmain":              {},
	"pi/internal/licenses":              {},
	"pi/internal/manual":                {},
	"pi/packaging":                      {},                       // only a test, of Linux
	"pi/tools/licenses":                 {"pi/internal/licenses"}, // `make generate` runs this and the next
	"pi/tools/manual":                   {"pi/cmd", "pi/internal/licenses", "pi/internal/manual"},
	"pi/internal/sessiond": {"pi/internal/artifact", "pi/internal/config", "pi/internal/environ", "pi/internal/ps", "pi/internal/rpc",
		"pi/internal/run", "pi/internal/self", "pi/internal/sink", "pi/internal/toolcall"},
}

// only names third-party modules that belong to one room, with the reason.
var only = map[string]struct{ room, why string }{
	"github.com/spf13/viper":                     {"pi/internal/config", "settings are read once, into one typed struct"},
	"github.com/spf13/cobra":                     {"pi/cmd pi/tools/manual", "nothing below the command line knows flags"},
	"mvdan.cc/sh/v3/syntax":                      {"pi/internal/shelltext pi/internal/normalize pi/internal/intercept pi/internal/shell/embedded pi/internal/agents", "one shared parse, and the embedded shell's"},
	"mvdan.cc/sh/v3/interp":                      {"pi/internal/shell/embedded", "the embedded shell"},
	"github.com/tailscale/hujson":                {"pi/internal/agents", "settings of agents, changed in place"},
	"github.com/pelletier/go-toml/v2/unstable":   {"pi/internal/agents", "the same, where they are TOML; only its parser"},
	"github.com/dlclark/regexp2":                 {"pi/internal/intercept/jsregexp", "patterns that RE2 cannot express"},
	"github.com/creack/pty":                      {"pi/internal/pty pi/bench/compare", "one room opens terminals"},
	"github.com/clipperhouse/displaywidth":       {"pi/internal/vt pi/internal/console", "only those who place characters measure them"},
	"github.com/clipperhouse/uax29/v2/graphemes": {"pi/internal/vt", "only the emulator joins characters"},
	"net/http":                   {"", "pi talks to nobody"},
	"github.com/mattn/go-isatty": {"pi/cmd", "what the standard streams are is found out once, and handed down"},
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "pi/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

func TestArrowsPointDown(t *testing.T) {
	for _, p := range packages(t) {
		if strings.HasPrefix(p.ImportPath, "pi/cmd") || strings.HasPrefix(p.ImportPath, "pi/bench") || p.ImportPath == "pi/internal" {
			continue
		}
		may, known := allowed[p.ImportPath]
		if !known {
			t.Errorf("%s is a new room: say here what it may import", p.ImportPath)
		}
		for _, i := range p.Imports {
			if strings.HasPrefix(i, "pi/") && !slices.Contains(may, i) {
				t.Errorf("%s imports %s", p.ImportPath, i)
			}
		}
	}
}

func TestModulesStayInTheirRoom(t *testing.T) {
	for _, p := range packages(t) {
		for _, i := range p.Imports {
			if rule, ok := only[i]; ok && !slices.Contains(strings.Fields(rule.room), p.ImportPath) {
				t.Errorf("%s imports %s: %s", p.ImportPath, i, rule.why)
			}
			if i == "C" {
				t.Errorf("%s uses cgo: the binary is static", p.ImportPath)
			}
		}
	}
}

// Package initialisers of everything that is linked run at every start; these would cost the most.
func TestNoNetworkStack(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "pi").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for dep := range strings.FieldsSeq(string(out)) {
		if dep == "net/http" || dep == "crypto/tls" {
			t.Errorf("pi links %s", dep)
		}
	}
}
