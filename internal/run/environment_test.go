package run

import (
	"slices"
	"strings"
	"testing"

	"pi/internal/environ"
)

func valuesOf(list []string, names ...string) string {
	var out []string
	for _, n := range names {
		v := "unset"
		for _, kv := range list {
			if k, x, _ := strings.Cut(kv, "="); k == n {
				v = x
			}
		}
		out = append(out, v)
	}
	return strings.Join(out, "|")
}

func TestEnvironment(t *testing.T) {
	for _, tt := range []struct {
		name            string
		host, own, call []string
		attended        bool
		names, want     string
	}{
		{"host passes", []string{"A=1", "B="}, nil, nil, false, "A B C", "1||unset"},
		{"steering variables do not", []string{"BASH_ENV=x", "ENV=x", "PS1=x", "PROMPT_COMMAND=x", "IFS=x", "SHLVL=3", "PWD=/", "CDPATH=/",
			"BASH_FUNC_cd%%=() { :; }", "SHELLOPTS=x", "POSIXLY_CORRECT="}, nil, nil, false,
			"BASH_ENV ENV PS1 PROMPT_COMMAND IFS SHLVL PWD CDPATH BASH_FUNC_cd%% SHELLOPTS POSIXLY_CORRECT", strings.TrimSuffix(strings.Repeat("unset|", 11), "|")},
		{"unattended wins over the host", []string{"PAGER=less", "EDITOR=vi", "TERM=xterm", "GPG_TTY=/dev/tty", "AWS_PAGER=less"}, nil, nil, false,
			"PAGER EDITOR TERM NO_COLOR GPG_TTY AWS_PAGER CI", "cat|true|dumb|1|unset||1"},
		{"switched off", []string{"PAGER=less", "TERM=xterm", "GPG_TTY=/dev/tty"}, nil, nil, true, "PAGER TERM NO_COLOR GPG_TTY CI", "less|xterm|unset|/dev/tty|unset"},
		{"shell.env wins over unattended", []string{"PAGER=less"}, []string{"PAGER=more", "X=1"}, nil, false, "PAGER X", "more|1"},
		{"the call wins over all", []string{"A=1"}, []string{"A=2", "PAGER=more"}, []string{"A=3", "PAGER=mine", "CI=", "BASH_ENV=/x"}, false,
			"A PAGER CI BASH_ENV", "3|mine||/x"},
		{"later of two wins", nil, nil, []string{"A=1", "A=2"}, false, "A", "2"},
		{"odd names of the host pass", []string{"A-B=odd", "1X=odd"}, nil, nil, false, "A-B 1X", "odd|odd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := environment(tt.host, tt.own, nil, tt.call, tt.attended)
			if v := valuesOf(got, strings.Fields(tt.names)...); v != tt.want {
				t.Errorf("%s = %s, want %s", tt.names, v, tt.want)
			}
			seen := map[string]bool{}
			for _, kv := range got {
				if seen[environ.Name(kv)] {
					t.Errorf("%s occurs twice", environ.Name(kv))
				}
				seen[environ.Name(kv)] = true
			}
		})
	}
}

func TestPairs(t *testing.T) {
	if got := pairs(map[string]string{"B": "2", "A": "x=y"}); !slices.Equal(got, []string{"A=x=y", "B=2"}) {
		t.Errorf("pairs = %v", got)
	}
}

func TestCheckVariable(t *testing.T) {
	for _, tt := range []struct{ in, err string }{
		{"A=1", ""}, {"_a9=", ""}, {"A=b=c", ""}, {"F=ünï\n", ""},
		{"A", "want NAME=VALUE"}, {"", "want NAME=VALUE"}, {"=x", `environment variable ""`}, {"1BAD=x", `"1BAD"`},
		{"A B=x", `"A B"`}, {"Ä=x", `"Ä"`}, {"A-B=x", `"A-B"`}, {"A=x\x00y", "NUL byte at offset 1 of its value"}, {"A\x00=x", "a name has letters"},
	} {
		err := CheckVariable(tt.in)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("CheckVariable(%q) = %v, want %q", tt.in, err, tt.err)
		}
	}
}

func FuzzCheckVariable(f *testing.F) {
	for _, s := range []string{"A=1", "A", "=x", "1BAD=x", "A=x\x00y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, kv string) {
		if CheckVariable(kv) != nil {
			return
		}
		n, v, ok := strings.Cut(kv, "=")
		if !ok || !validName(n) || strings.ContainsRune(v, 0) {
			t.Errorf("CheckVariable accepts %q", kv)
		}
	})
}
