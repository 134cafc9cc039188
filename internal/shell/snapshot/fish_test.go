//go:build unix

package snapshot

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFishVariables: exported variables come under the same rules as those of other shells; lists are joined as for children.
func TestFishVariables(t *testing.T) {
	h := newHome(t, "fish", `set -gx PATH /opt/fish $PATH
set -gx LIST 'a b' c
set -gx GITHUB_TOKEN x
set -gx URL https://u:p@host/
set -gx HOST_VAR changed
set -g NOT_EXPORTED 1
set -gx EMPTY`)
	h.spec.Env = append(h.spec.Env, "USER=u")
	s := h.must()
	want := []string{"EMPTY=", "HOST_VAR=changed", "LIST=a b c"}
	got := slices.DeleteFunc(slices.Clone(s.Env), func(kv string) bool { return strings.HasPrefix(kv, "PATH=") })
	if !slices.Equal(got, want) || !slices.ContainsFunc(s.Env, func(kv string) bool { return strings.HasPrefix(kv, "PATH=/opt/fish:") }) {
		t.Errorf("got %q, want %q and a PATH", s.Env, want)
	}
	s = h.must() // the first fish of a user creates the file of universal variables
	if again := h.must(); again.Made != s.Made {
		t.Error("not cached")
	}
	h.write("function other; echo other; end\n")
	if got := h.run(h.must(), "other"); got != "other\n" {
		t.Errorf("after a change: %q", got)
	}
}

// TestFishConfigHostile: whatever config.fish does, there is an answer in time.
func TestFishConfigHostile(t *testing.T) {
	for _, tt := range []struct{ name, rc, warning string }{
		{"replaces the shell", "exec true", "they ended or replaced the shell (status 0)"},
		{"sleeps", "sleep 1000", "they were not read within 1s"},
		{"loops", "while true; end", "they were not read within 1s"},
		{"starts a daemon", "sleep 1000 &", ""},
		{"has a syntax error", "if true", ""},
		{"fails", "false", ""},
		{"reads its input", "read x; cat", ""},
		{"breaks PATH and HOME", "set -gx PATH /nowhere; set -gx HOME /nowhere", ""},
		{"redefines what the dump uses", "function kill; end; function printf; end; function functions; end; function abbr; end; function count; end", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, "fish", "function hey; echo function; end\n"+tt.rc+"\n")
			if strings.Contains(tt.warning, "1s") {
				h.spec.limit = time.Second
			}
			s, warning := h.take()
			if tt.warning == "" && warning != "" || !strings.Contains(warning, tt.warning) {
				t.Errorf("warning %q, want %q", warning, tt.warning)
			}
			if got := h.run(s, "hey"); tt.warning == "" && got != "function\n" && tt.name != "has a syntax error" {
				t.Errorf("got %q", got)
			}
		})
	}
}
