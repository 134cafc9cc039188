//go:build unix

package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pi/internal/testmain"
)

const examples = "../examples"

// The examples work, and are as short as the docs say.
func TestExamples(t *testing.T) {
	for _, x := range []struct {
		file  string
		build func(t *testing.T) *exec.Cmd
	}{
		{"python/client.py", func(t *testing.T) *exec.Cmd {
			return exec.Command(testmain.Tool(t, "python3"), absolute(t, examples+"/python/client.py"))
		}},
		{"typescript/client.ts", func(t *testing.T) *exec.Cmd {
			work := npmProject(t, examples+"/typescript")
			for _, name := range []string{"client.ts", "tsconfig.json", "package.json"} {
				copyFile(t, examples+"/typescript/"+name, filepath.Join(work, name))
			}
			c := exec.Command("node", filepath.Join(filepath.Dir(work), "node_modules/typescript/bin/tsc"))
			c.Dir = work
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("tsc: %v\n%s", err, out)
			}
			return exec.Command("node", filepath.Join(work, "build/client.js"))
		}},
		{"go/main.go", func(t *testing.T) *exec.Cmd {
			bin := filepath.Join(t.TempDir(), "client")
			if out, err := exec.Command("go", "build", "-o", bin, examples+"/go").CombinedOutput(); err != nil {
				t.Fatalf("go build: %v\n%s", err, out)
			}
			return exec.Command(bin)
		}},
	} {
		t.Run(x.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(examples, x.file))
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), "\n"); n >= 60 {
				t.Errorf("%d lines", n)
			}
			c := x.build(t)
			pi := piCommand(t, "rpc")
			c.Dir, c.Env = pi.Dir, append(pi.Env, "PI="+pi.Path, "XDG_STATE_HOME="+t.TempDir())
			out, err := c.CombinedOutput()
			want := regexp.MustCompile(`^(live: \d lines\n)+done: 3 lines\naborted: [tT]rue\nartifact: 100000 lines, \[ ?'?500'?,? '?501'?,? '?502'? ?\]\n$`)
			if err != nil || !want.Match(out) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}
