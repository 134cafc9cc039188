package intercept

import (
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pi/internal/shelltext"
	"pi/internal/testmain"
)

// A text parses if and only if bash accepts it.
func TestBashAgreesOnSyntax(t *testing.T) {
	bash := testmain.Tool(t, "bash")
	commands := allowed
	for _, row := range blocked {
		commands = append(commands, row.command)
	}
	for _, command := range commands {
		if strings.Contains(command, "\x00") || len(command) > shelltext.MaxParse {
			continue
		}
		if command == "cat <<E > f\na" {
			continue // bash only warns about an unterminated here-document
		}
		_, parsed := shelltext.Parse(command)
		if valid := exec.Command(bash, "-n", "-c", command).Run() == nil; valid != parsed {
			t.Errorf("%q: parsed %v, valid for bash %v", command, parsed, valid)
		}
	}
}

// Contexts in which a command runs, and in which the same words are data.
var (
	positions = []string{
		"%s", "a; %s", "%s; a", "a && %s", "a || %s", "a\n%s\nb", "%s | a", "(%s)", "{ %s; }", "echo $(%s)", "echo \"x $(%s)\"", "x=$(%s)",
		"if %s; then a; fi", "if a; then %s; else b; fi", "while a; do %s; done", "for i in a b; do %s; done", "case a in a) %s ;; esac",
		"f() { %s; }", "time %s", "! %s", "a <(%s)", "cat <<E\n$(%s)\nE", "[[ -n $(%s) ]]", "echo $(( $(%s) ))", "a & %s",
	}
	dataContexts = []string{
		"echo '%s'", "x='; %s'", "a # %s", "cat <<'E'\n%s\nE", "a --message '%s'", "bash -c '%s'", "printf \"; %s;\"", "case a in '%s') b ;; esac",
	}
)

func embed(template, command string) string { return strings.Replace(template, "%s", command, 1) }

func TestPropertyCommandInAnyContext(t *testing.T) {
	c := newDefault(t)
	rapid.Check(t, func(t *rapid.T) {
		text := "cat f"
		for range rapid.IntRange(1, 3).Draw(t, "depth") {
			text = embed(rapid.SampledFrom(positions).Draw(t, "position"), text)
		}
		if _, ok := shelltext.Parse(text); !ok {
			return // contexts that cannot be combined, such as "! !"
		}
		if got := c.Check(text, []string{"read"}); got.Fragment != "cat f" {
			t.Fatalf("%q: %+v", text, got)
		}
	})
}

func TestPropertyDataIsNotBlocked(t *testing.T) {
	c := newDefault(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(dataContexts).Draw(t, "data")
		text = embed(text, rapid.SampledFrom([]string{"cat f", "grep x f", "sed -i s/a/b/ f", "echo x > f", "find . -name x"}).Draw(t, "command"))
		text = embed(rapid.SampledFrom(positions).Draw(t, "position"), text)
		if _, ok := shelltext.Parse(text); !ok {
			return // a comment that hides the end of its context: the text does not parse
		}
		if got := c.Check(text, DefaultTools()); got.Blocked {
			t.Fatalf("%q: %s at %q", text, got.RuleID, got.Fragment)
		}
	})
}
