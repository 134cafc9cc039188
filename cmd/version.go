package cmd

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"pi/internal/licenses"
	"pi/internal/present"
)

// version is set by the linker: -ldflags "-X pi/cmd.version=1.2.3".
var version = "0.1.0"

// commit is also set by the linker: the commit of the checkout, "" without one.
var commit string

// buildInfo identifies this binary.
type buildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"` // abbreviated hash, with "-dirty" if the tree had changes; "" if unknown
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
	var asJSON, licences bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version of pi, how it was built, and its licences",
		Long: `Print the version of pi and how it was built. With --licenses, print the licence of pi and of every module linked
into it instead.`,
		Example: "  pi version\n  pi version --json\n  pi version --licenses | less",
		Args:    atMost(0),
		RunE: func(*cobra.Command, []string) error {
			switch {
			case licences && asJSON:
				return failf("--licenses and --json exclude each other")
			case licences:
				text, err := licenses.Text()
				if err != nil {
					return failf("read the licences: %w", err)
				}
				_, err = io.WriteString(env.Stdout, text)
				return present.WriteError(err)
			case asJSON:
				return printJSON(env, newBuildInfo())
			}
			_, err := fmt.Fprintln(env.Stdout, newBuildInfo())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().BoolVar(&licences, "licenses", false, "print the licences of pi and of the modules linked into it")
	return c
}
