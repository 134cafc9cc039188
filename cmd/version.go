package cmd

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker: -ldflags "-X pi/cmd.version=1.2.3".
var version = "0.1.0"

// buildInfo says what this binary is.
type buildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"` // 12 digits of the hash, with "+changes" when the tree was not clean; or "unknown"
	Go       string `json:"go"`
	Platform string `json:"platform"` // os/arch
}

func newBuildInfo() buildInfo {
	b := buildInfo{Version: version, Commit: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	changed := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				changed = "+changes"
			}
		}
	}
	b.Commit += changed
	return b
}

func (b buildInfo) String() string {
	return fmt.Sprintf("pi %s (%s, %s, %s)", b.Version, b.Commit, b.Go, b.Platform)
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
