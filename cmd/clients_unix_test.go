//go:build unix

package cmd

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pi/internal/testmain"
)

// npmProject installs the packages of the lock file in dir, once per version of that file, and returns a directory of
// the installation where scripts can be put.
func npmProject(t *testing.T, dir string) string {
	t.Helper()
	npm := testmain.Tool(t, "npm")
	testmain.Tool(t, "node")
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	lock, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(lock)
	place := filepath.Join(cache, "pi-test", "npm-"+hex.EncodeToString(sum[:8]))
	if !exists(place) {
		install(t, npm, dir, place)
	}
	scripts, err := os.MkdirTemp(place, "scripts-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(scripts) })
	return scripts
}

// install works in a temporary directory and renames it, so that place never exists in part.
func install(t *testing.T, npm, dir, place string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		t.Fatal(err)
	}
	work, err := os.MkdirTemp(filepath.Dir(place), "installing-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc"} {
		copyFile(t, filepath.Join(dir, name), filepath.Join(work, name))
	}
	c := exec.Command(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	c.Dir = work
	if out, err := c.CombinedOutput(); err != nil {
		testmain.Missing(t, "npm ci: %v\n%s", err, out)
	}
	if err := os.Rename(work, place); err != nil && !exists(place) {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

const mcpClients = "../internal/mcp/testdata/client"

// The official clients work with every protocol version that they support.
func TestMCPClients(t *testing.T) {
	scripts := npmProject(t, mcpClients)
	copyFile(t, filepath.Join(mcpClients, "client.mjs"), filepath.Join(scripts, "client.mjs"))
	for _, which := range []string{"v1", "v2", "v2-legacy"} {
		t.Run(which, func(t *testing.T) {
			pi := piCommand(t, "mcp")
			c := exec.Command("node", append([]string{filepath.Join(scripts, "client.mjs"), which, pi.Path}, pi.Args[1:]...)...)
			c.Dir, c.Env = pi.Dir, append(pi.Env, "XDG_STATE_HOME="+t.TempDir())
			if out, err := c.CombinedOutput(); err != nil || string(out) != "fine\n" {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// People try servers with the inspector's command line mode.
func TestMCPInspector(t *testing.T) {
	cli := filepath.Join(filepath.Dir(npmProject(t, mcpClients)), "node_modules/@modelcontextprotocol/inspector-cli/build")
	pi := piCommand(t, "mcp")
	for _, tt := range []struct {
		args, want string
	}{
		{"--method tools/list", "bash bash_session"},
		{"--method tools/call --tool-name bash --tool-arg command=echo\thi --tool-arg timeout=50", "hi\n"},
		{"--method resources/templates/list", "artifact://{id}{?lines,bytes,head,tail,grep}"},
	} {
		args := []string{"cli.js", "--cli", pi.Path, "mcp"}
		for _, a := range strings.Fields(strings.ReplaceAll(tt.args, "\t", "\x00")) {
			args = append(args, strings.ReplaceAll(a, "\x00", " "))
		}
		c := exec.Command("node", args...)
		c.Dir = cli // it looks for its version from there
		c.Env = pi.Env
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", tt.args, err, out)
		}
		var r struct {
			Tools             []struct{ Name string }
			Content           []struct{ Text string }
			ResourceTemplates []struct{ URITemplate string }
		}
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatalf("%s: %v\n%s", tt.args, err, out)
		}
		var got []string
		for _, x := range r.Tools {
			got = append(got, x.Name)
		}
		for _, x := range r.Content {
			got = append(got, x.Text)
		}
		for _, x := range r.ResourceTemplates {
			got = append(got, x.URITemplate)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: got %q, want %q", tt.args, got, tt.want)
		}
	}
}
