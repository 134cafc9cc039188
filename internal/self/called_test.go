package self

import "testing"

func TestSetName(t *testing.T) {
	defer func() { called = "pi" }()
	for argv0, want := range map[string]string{
		"pi": "pi", "/usr/local/bin/pish": "pish", "./pi-2.0": "pi-2.0", "pi.EXE": "pi",
		"": "pi", "-pi": "pi", "/": "pi", "a b": "pi", "$(x)": "pi", "..": "pi",
	} {
		called = "pi"
		SetName(argv0)
		if Name() != want {
			t.Errorf("SetName(%q): %q, want %q", argv0, Name(), want)
		}
	}
}
