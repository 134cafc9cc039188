//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pi/internal/testmain"
)

// TestExecuteFish: one-shot commands in fish, whose own messages come in order with the output.
func TestExecuteFish(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(in, []byte("given\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, command, out string
		code               int
	}{
		{"status", "set x 1; echo $x; exit 42", "1\n", 42},
		{"status of the last command", "false", "", 1},
		{"blocks", "for i in 1 2; echo $i; end; begin; echo a; end | cat", "1\n2\na\n", 0},
		{"unknown command", "echo a; nope_zz; echo $status", "a\nfish: Unknown command: nope_zz\nfish: \necho a; nope_zz; echo $status\n        ^~~~~~^\n127\n", 0},
		{"leading dash", "--nope_zz 2>/dev/null; true", "fish: Unknown command: --nope_zz\nfish: \n--nope_zz 2>/dev/null; true\n^~~~~~~~^\n", 0},
		{"no user configuration", "status is-interactive; echo $status", "1\n", 0},
		{"input", "cat; read x; echo \"[$x]\"", "given\n[]\n", 0},
		{"text longer than an argument", "set x '" + strings.Repeat("abcdefghij", 20_000) + "'; string length $x; cat; false; echo $status; exit 3", "200000\ngiven\n1\n", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			s := spec(t, tt.command, &r)
			s.Shell = Shell{testmain.Tool(t, "fish"), &fish}
			f, err := os.Open(in)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			s.Stdin = f
			if end := execute(t, s); end.ExitCode != tt.code || r.text(Stdout) != tt.out {
				t.Errorf("status %d, output %q; want %d, %q", end.ExitCode, r.text(Stdout), tt.code, tt.out)
			}
		})
	}
}

func TestFishRCFiles(t *testing.T) {
	home := t.TempDir()
	for _, f := range []string{".config/fish/conf.d/a.fish", ".config/fish/functions/f.fish", "x/fish/conf.d/b.fish"} {
		if err := os.MkdirAll(filepath.Join(home, filepath.Dir(f)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, f), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		env         []string
		own, others string
	}{
		{nil, ".config/fish/config.fish .config/fish/conf.d/a.fish", ".config/fish/functions/f.fish .config/fish/fish_variables /etc/fish/config.fish"},
		{[]string{"XDG_CONFIG_HOME=" + home + "/x"}, "x/fish/config.fish x/fish/conf.d/b.fish", "x/fish/fish_variables /etc/fish/config.fish"},
	} {
		own, others := fishRCFiles(home, tt.env)
		join := func(list []string) string { return strings.ReplaceAll(strings.Join(list, " "), home+"/", "") }
		if join(own) != tt.own || join(others) != tt.others {
			t.Errorf("%v: %q, %q", tt.env, join(own), join(others))
		}
	}
}
