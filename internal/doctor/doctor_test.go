package doctor

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pi/internal/config"
)

type build string

func (b build) String() string { return string(b) }

func environment(t *testing.T, more ...string) []string {
	home := t.TempDir()
	return append([]string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"), "XDG_CONFIG_HOME=" + home, "PATH=" + os.Getenv("PATH"),
		"TERM=xterm-256color", "PI_SHELL_SNAPSHOT=off"}, more...)
}

func examine(t *testing.T, environ []string) *Report {
	return Examine(t.Context(), Input{Build: build("pi 1"), Name: "no-such-program", Environ: environ, Config: config.LoadOptions{Environ: environ}})
}

func TestExamine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		setting  string
		area     string // of the only problem; empty: none
		contains string // in the text
	}{
		{"defaults", "", "", "no problems found\n"},
		{"missing shell", "PI_SHELL_PATH=/nonexistent", "shell", "fix: install bash"},
		{"store below a file", "PI_ARTIFACTS_DIR=" + file, "artifacts", "problem: artifacts: "},
		{"no store", "PI_ARTIFACTS_MAX_BYTES=0", "", "artifacts  off"},
		{"invalid setting", "PI_ARTIFACTS_MAX_BYTES=x", "config", "fix: correct it and run `pi config check`"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := examine(t, environment(t, tt.setting))
			var areas []string
			for _, p := range r.Problems {
				areas = append(areas, p.Area)
				if p.Hint == "" || p.What == "" {
					t.Errorf("incomplete problem %+v", p)
				}
			}
			if got := strings.Join(areas, " "); got != tt.area || !strings.Contains(r.Text(), tt.contains) {
				t.Errorf("problems in %q, want %q; text:\n%s", got, tt.area, r.Text())
			}
		})
	}
}

// No list is null, and each area has its object, so that programs need no checks of their own.
func TestReportJSON(t *testing.T) {
	text, err := json.Marshal(examine(t, environment(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"pi":"pi 1"`, `"problems":[]`, `"warnings":[]`, `"others":[]`, `"procfs":`, `"platform":`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
}

// The test's program is the one that runs; another of its name may come before or after it on PATH.
func TestAnotherProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimSuffix(filepath.Base(self), ".exe")
	other := filepath.Join(t.TempDir(), filepath.Base(self))
	if err := os.WriteFile(other, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	here, there := filepath.Dir(self), filepath.Dir(other)
	for _, tt := range []struct {
		path []string
		want string
	}{
		{[]string{here}, ""},
		{[]string{there, here}, "another " + name + " on PATH: " + other + " comes before this one"},
		{[]string{here, there}, "another " + name + " on PATH: " + other + " comes after this one"},
		{[]string{there}, "another " + name + " on PATH: " + other + "; this one is not on PATH (" + self + ")"},
	} {
		x := &examination{Report: &Report{}, Input: Input{Name: name, Environ: []string{"PATH=" + strings.Join(tt.path, string(filepath.ListSeparator))}}}
		x.program()
		if got := strings.Join(x.Warnings, "\n"); got != tt.want {
			t.Errorf("PATH %q: warnings %q, want %q", tt.path, got, tt.want)
		}
	}
}

func TestColors(t *testing.T) {
	for _, tt := range []struct {
		term, colorterm string
		want            int
	}{
		{"", "", 0}, {"dumb", "truecolor", 0}, {"vt100", "", 0}, {"xterm", "", 16}, {"xterm-256color", "", 256}, {"xterm", "24bit", 1 << 24}, {"xterm-direct", "", 1 << 24},
	} {
		if got := colors(tt.term, tt.colorterm); got != tt.want {
			t.Errorf("TERM=%s COLORTERM=%s: %d colours, want %d", tt.term, tt.colorterm, got, tt.want)
		}
	}
}
