package cmd

import "testing"

func TestOutputFlag(t *testing.T) {
	for _, tt := range []struct {
		word, next, want string
		ok               bool
	}{
		{"-o", "json", "json", true}, {"-ojson", "x", "json", true}, {"-o=json", "x", "json", true}, {"--output", "json", "json", true},
		{"--output=json", "x", "json", true}, {"-io", "json", "json", true}, {"-iojson", "x", "json", true},
		{"--outputs", "x", "", false}, {"-i", "json", "", false}, {"-t", "5", "", false}, {"output", "json", "", false}, {"", "", "", false}, {"-", "", "", false},
	} {
		got, ok := outputFlag(tt.word, tt.next)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("outputFlag(%q, %q) = %q, %v; want %q, %v", tt.word, tt.next, got, ok, tt.want, tt.ok)
		}
	}
}

func TestFormatOfLine(t *testing.T) {
	for _, tt := range []struct {
		args    []string
		environ []string
		want    string
	}{
		{[]string{"run", "-o", "json", "-o", "text", "--nope"}, nil, "text"},
		{[]string{"run", "--", "-o", "json"}, nil, "text"},
		{[]string{"run"}, []string{"PI_OUTPUT_FORMAT=json", "PI_BASH_TIMEOUT=x"}, "json"},
	} {
		if got := (&Env{Args: tt.args, Environ: tt.environ}).format(); got != tt.want {
			t.Errorf("format of %v, %v = %q, want %q", tt.args, tt.environ, got, tt.want)
		}
	}
}
