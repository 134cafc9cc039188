package environ

import "testing"

func TestLookup(t *testing.T) {
	list := []string{"A=1", "EMPTY=", "A=2", "AB=x=y", "bare", "=odd"}
	for _, tt := range []struct {
		name, want string
		ok         bool
	}{
		{"A", "1", true}, {"EMPTY", "", true}, {"AB", "x=y", true}, {"bare", "", false}, {"B", "", false}, {"a", "", false},
	} {
		if got, ok := Lookup(list, tt.name); got != tt.want || ok != tt.ok {
			t.Errorf("Lookup(%q) = %q, %v; want %q, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

func TestName(t *testing.T) {
	for in, want := range map[string]string{"A=1": "A", "A=b=c": "A", "bare": "bare", "=x": ""} {
		if got := Name(in); got != want {
			t.Errorf("Name(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestHome(t *testing.T) {
	if got := Home([]string{"HOME=relative"}); got != "" {
		t.Errorf("Home = %q, want none, since the path is relative", got)
	}
}
