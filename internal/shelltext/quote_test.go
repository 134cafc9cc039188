package shelltext

import (
	"os/exec"
	"strings"
	"testing"

	"pi/internal/testmain"
)

// TestQuote: every shell reads a quoted word back as it was. The words are all that can be built of the characters that some
// shell treats specially, and longer ones.
func TestQuote(t *testing.T) {
	words := []string{"", "plain", "-n", "a=b", "~", "~/x", "%self", "*", "{a,b}", "$HOME `id` $(id)", "a\nb\n", "!!", "é\t", `C:\dir\`, `\\server\x`,
		strings.Repeat("'", manyQuotes) + `"$x\`}
	const special = `'\"$n ` // n: \n must not become a line feed
	for _, a := range special {
		for _, b := range special {
			for _, c := range special {
				words = append(words, string(a)+string(b)+string(c), string([]rune{a, b}))
			}
		}
	}
	for _, quoted := range []struct {
		name   string
		quote  func(string) string
		shells []string
	}{
		{"Quote", Quote, []string{"sh", "bash", "zsh", "fish"}},
		{"QuoteAlways", QuoteAlways, []string{"sh", "bash", "zsh", "fish"}},
		{"QuoteFish", QuoteFish, []string{"fish"}},
	} {
		for _, sh := range quoted.shells {
			t.Run(quoted.name+"/"+sh, func(t *testing.T) {
				script := "printf '<%s>'"
				for _, w := range words {
					script += " " + quoted.quote(w)
				}
				want := "<" + strings.Join(words, "><") + ">"
				out, err := exec.Command(testmain.Tool(t, sh), "-c", script).Output()
				if err != nil || string(out) != want {
					t.Errorf("%v\n got %q\nwant %q", err, out, want)
				}
			})
		}
	}
}
