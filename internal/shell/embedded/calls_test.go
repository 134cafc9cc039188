package embedded

import "testing"

func TestPlainFormat(t *testing.T) {
	for format, want := range map[string]bool{
		"a": true, "%s %d\n": true, "%-10s|%05d": true, "100%%": true, "-v": true, "%.2f": false, "%q": false, "%*d": false, "%": false,
		"%s%.1s": false, "%#x": false, "%(%F)T": false,
	} {
		if got := plainFormat(format); got != want {
			t.Errorf("%q: %v", format, got)
		}
	}
}
