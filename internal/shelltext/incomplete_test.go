package shelltext

import "testing"

func TestIncomplete(t *testing.T) {
	for text, want := range map[string]bool{
		"":                       false,
		"ls":                     false,
		"echo 'a":                true,
		"echo 'a\nb'":            false,
		`echo "a`:                true,
		`echo \`:                 true,
		`echo \\`:                false,
		"if true":                true,
		"if true; then":          true,
		"if true; then :; fi":    false,
		"for i in 1 2; do":       true,
		"f() {":                  true,
		"cat <<EOF":              true,
		"cat <<EOF\na":           true,
		"cat <<EOF\na\nEOF":      false,
		"a &&":                   true,
		"a |":                    true,
		"a ||":                   true,
		"echo $(ls":              true,
		"echo )":                 false,
		"fi":                     false,
		"a &&\nb":                false,
		"case x in":              true,
		"echo a # 'not a quote":  false,
		"echo \x00 'a":           false,
		"[[ a == b ]] && (echo ": true,
	} {
		if got := Incomplete(text); got != want {
			t.Errorf("Incomplete(%q) = %v, want %v", text, got, want)
		}
	}
}
