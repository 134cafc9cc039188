package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	shipped "pi/internal/licenses"
)

func TestNoticesAreUpToDate(t *testing.T) {
	want, err := notices("../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := shipped.Text()
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("the licences that ship with pi are out of date; run `make generate`:\n%s", cmp.Diff(got, want))
	}
}

func TestNoticesNameWhatIsLinked(t *testing.T) {
	text, err := shipped.Text()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"The pi authors", "Go standard library", "github.com/spf13/cobra v", "Apache License",
		"github.com/inconshreveable/mousetrap v", // on Windows only
		"third_party/afero in pi's repository stands in for it",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the notices lack %q", want)
		}
	}
	if strings.Contains(text, "pgregory.net/rapid") {
		t.Error("the notices name a module that only tests use")
	}
}

func TestPlatformsAreThoseOfTheMakefile(t *testing.T) {
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^PLATFORMS := (.*)$`).FindSubmatch(text)
	if line == nil || string(line[1]) != strings.Join(platforms, " ") {
		t.Errorf("the Makefile builds %q, the notices are for %q", line, platforms)
	}
}
