package cmd

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// version is set by the linker: -ldflags "-X pi/cmd.version=1.2.3".
var version = "0.1.0"

// commit is set by the linker, too: the checkout's, "" where there is none.
var commit string

// buildInfo says what this binary is.
type buildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"` // the beginning of the hash, with "-dirty" when the tree was not clean; "" when it is not known
	Go       string `json:"go"`
	Platform string `json:"platform"` // os/arch
}

func newBuildInfo() buildInfo {
	b := buildInfo{Version: version, Commit: commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok || commit != "" {
		return b
	}
	dirty := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			dirty = s.Value == "true"
		}
	}
	if dirty && b.Commit != "" {
		b.Commit += "-dirty"
	}
	return b
}

func (b buildInfo) String() string {
	known := []string{b.Go, b.Platform}
	if b.Commit != "" {
		known = append([]string{b.Commit}, known...)
	}
	return fmt.Sprintf("pi %s (%s)", b.Version, strings.Join(known, ", "))
}

func newVersionCmd(env *Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of pi and how it was built",
		Example: "  pi version\n  pi version --json",
		Args:    atMost(0),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return printJSON(env, newBuildInfo())
			}
			_, err := fmt.Fprintln(env.Stdout, newBuildInfo())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}
