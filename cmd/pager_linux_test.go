package cmd

import (
	"strings"
	"testing"

	"pi/internal/testmain"
)

func TestHelpTopicPaged(t *testing.T) {
	for _, tt := range []struct{ name, pager, want string }{
		{"by $PAGER, which may have options", "sed -n 1,2s/^/paged:/p", "paged:Configuration\npaged:====="},
		{"left early", "head -n 1", "Configuration\n"},
		{"not paged", "cat", "Configuration\n====="},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := sitWith(t, 80, 24, []string{"PAGER=" + tt.pager}, "help", "configuration")
			p.leaves(0)
			if !strings.Contains(p.text(), tt.want) {
				t.Errorf("shows\n%s", p.text())
			}
		})
	}
}

func TestHelpTopicInLess(t *testing.T) {
	testmain.Tool(t, "less")
	p := sitWith(t, 80, 24, []string{"PAGER=", "LESS="}, "help", "configuration")
	p.reads("Configuration\n=====")
	p.keys("q")
	p.leaves(0)
}
