package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/shell"
)

// doctorWait bounds the one command that the doctor runs; a shell that needs longer for nothing is ill.
const doctorWait = 5 * time.Second

// diagnosis is everything `pi doctor` found out. It is also the object of --json.
type diagnosis struct {
	Build     buildInfo      `json:"pi"`
	Config    configState    `json:"config"`
	Shell     shellState     `json:"shell"`
	Snapshot  snapshotState  `json:"snapshot"`
	Artifacts artifactState  `json:"artifacts"`
	Terminal  terminalState  `json:"terminal"`
	Machine   machineState   `json:"machine"`
	Problems  []problemFound `json:"problems"`
	Warnings  []string       `json:"warnings"`
}

// problemFound is something that would stop `pi run` or lose its output, and the way out.
type problemFound struct {
	Room   string `json:"room"` // config, shell, artifacts, machine
	What   string `json:"what"`
	WayOut string `json:"wayOut"`
}

type configState struct {
	Path   string `json:"path"`   // that would be read; empty: no home directory is known
	Exists bool   `json:"exists"` // and was read
	Source string `json:"source"` // what chose the path
}

type shellState struct {
	Path    string `json:"path"` // embedded: it is part of pi
	Kind    string `json:"kind"`
	Version string `json:"version"` // as the shell says itself; empty: it does not say
	Runs    bool   `json:"runs"`    // a command was run in it
}

type artifactState struct {
	Dir           string `json:"dir"`
	Enabled       bool   `json:"enabled"`
	Exists        bool   `json:"exists"`
	Writable      bool   `json:"writable"` // it, or what it will be made in
	Count         int    `json:"count"`
	Bytes         int64  `json:"bytes"` // stored
	MaxBytes      int64  `json:"maxBytes"`
	MaxTotalBytes int64  `json:"maxTotalBytes"`
	FreeBytes     int64  `json:"freeBytes"` // of the file system; -1: unknown
}

type terminalState struct {
	Stdin   bool   `json:"stdin"`
	Stdout  bool   `json:"stdout"`
	Stderr  bool   `json:"stderr"`
	Term    string `json:"term"`
	Colors  int    `json:"colors"` // as TERM and COLORTERM say
	NoColor bool   `json:"noColor"`
	Columns int    `json:"columns"` // 0: no terminal
	Rows    int    `json:"rows"`
}

func newDoctorCmd(env *Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what pi finds on this machine, and what would stop it",
		Long: "Looks at the shell, the configuration, the artifact store, the terminal and the limits of the machine, and runs one\n" +
			"harmless command. Exit status: 0 all is usable, 1 something would stop pi run or lose its output.",
		Example: "  pi doctor\n  pi doctor --json",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := loadOptions(c, env)
			if err != nil {
				return err
			}
			d := examine(c.Context(), env, o)
			if asJSON {
				err = printJSON(env, d)
			} else {
				err = d.print(env.Stdout)
			}
			if err == nil && len(d.Problems) > 0 {
				err = &ExitError{Code: 1}
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// examine looks at everything. A broken configuration is one problem among others; the rest is then judged by the
// defaults.
func examine(ctx context.Context, env *Env, o config.LoadOptions) *diagnosis {
	d := &diagnosis{Build: newBuildInfo(), Problems: []problemFound{}, Warnings: []string{}}
	cfg := d.examineConfig(o)
	if ctx == nil {
		ctx = context.Background()
	}
	d.examineShell(ctx, env, cfg)
	d.examineArtifacts(env, cfg.Artifacts)
	d.examineTerminal(env)
	d.Machine = examineMachine()
	d.judgeMachine()
	return d
}

// problem records what stops pi and the way out.
func (d *diagnosis) problem(room, wayOut, format string, args ...any) {
	d.Problems = append(d.Problems, problemFound{Room: room, What: fmt.Sprintf(format, args...), WayOut: wayOut})
}

func (d *diagnosis) examineConfig(o config.LoadOptions) config.Config {
	where := config.Locate(o)
	d.Config = configState{Path: where.Path, Source: where.Source}
	loaded, err := config.Load(o)
	if err != nil {
		for _, p := range config.Problems(err) {
			d.problem("config", "correct it and try `pi config check`; docs/configuration.md lists the settings", "%v", p)
		}
		return config.Defaults()
	}
	d.Config.Exists = loaded.File != ""
	d.Warnings = append(d.Warnings, loaded.Warnings...)
	return loaded.Config
}

// examineShell chooses the shell and runs a command in it, the way `pi run` does.
func (d *diagnosis) examineShell(ctx context.Context, env *Env, cfg config.Config) {
	chosen, err := shell.Choose(cfg.Shell.Path, env.Environ)
	if err != nil {
		d.problem("shell", "install bash, or set shell.path to a shell that is there", "%v", err)
		return
	}
	d.Shell = shellState{Path: chosen.Path, Kind: string(chosen.Kind)}
	d.judgeEmbedded(cfg.Shell, chosen)
	d.examineSnapshot(ctx, env, cfg.Shell, chosen)
	var said strings.Builder
	end, err := shell.Execute(ctx, shell.Spec{
		Shell: chosen, Command: `printf %s "${BASH_VERSION:-$ZSH_VERSION}"`, Dir: os.TempDir(), Env: env.Environ, Timeout: doctorWait,
		Output: func(_ shell.Stream, p []byte) bool { said.Write(p); return said.Len() < 4096 },
	})
	for _, pipe := range end.Held {
		pipe.Close()
	}
	switch {
	case err != nil:
		d.problem("shell", "look at the permissions and limits of this account, or set shell.path", "%v", err)
	case end.TimedOut:
		d.problem("shell", "set shell.path to another shell", "%s did not run a command within %v", chosen.Path, doctorWait)
	case end.ExitCode != 0 || end.Signal != 0:
		d.problem("shell", "set shell.path to another shell", "%s ended with status %d: %.200s", chosen.Path, end.ExitCode, said.String())
	default:
		d.Shell.Runs, d.Shell.Version = true, said.String()
	}
	d.Warnings = append(d.Warnings, end.Warnings...)
}

// judgeEmbedded tells of the embedded shell, which is a problem when nobody asked for it.
func (d *diagnosis) judgeEmbedded(set config.Shell, chosen shell.Shell) {
	if chosen.Kind != shell.Embedded {
		return
	}
	d.Shell.Path = shell.EmbeddedName // what to write into shell.path; the file is pi's own
	if set.Path == "" {
		d.problem("shell", "install bash, or set shell.path to embedded to be content with it",
			"no bash, zsh or sh was found; commands run in the embedded shell, which knows less of the language")
	}
}

func (d *diagnosis) examineArtifacts(env *Env, set config.Artifacts) {
	if set.Dir == "" {
		set.Dir = artifact.DefaultDir(env.Environ)
	}
	a := &d.Artifacts
	*a = artifactState{Dir: set.Dir, Enabled: set.MaxBytes > 0, MaxBytes: set.MaxBytes, MaxTotalBytes: set.MaxTotalBytes, FreeBytes: -1}
	const wayOut = "set artifacts.dir or PI_ARTIFACTS_DIR to a directory of your own, or artifacts.maxBytes to 0 to save no outputs"
	switch {
	case !a.Enabled:
		return
	case a.Dir == "":
		d.problem("artifacts", wayOut, "no place for full outputs: neither XDG_STATE_HOME nor HOME is an absolute path")
		return
	}
	list, count, err := artifact.Open(a.Dir, artifact.Options{MaxBytes: a.MaxBytes, MaxTotalBytes: a.MaxTotalBytes}).List(0)
	if err != nil {
		d.problem("artifacts", wayOut, "%v", err)
		return
	}
	a.Count = count
	for _, m := range list {
		a.Bytes += m.StoredBytes
	}
	base, exists := existing(a.Dir)
	a.Exists, a.FreeBytes = exists, freeBytes(base)
	if err := tryWrite(base); err != nil {
		d.problem("artifacts", wayOut, "full outputs cannot be kept in %s: %v", a.Dir, err)
		return
	}
	a.Writable = true
}

// existing is dir, or the nearest directory above it that is there.
func existing(dir string) (base string, itself bool) {
	for base = dir; ; base = filepath.Dir(base) {
		if _, err := os.Lstat(base); !errors.Is(err, fs.ErrNotExist) || base == filepath.Dir(base) {
			return base, base == dir
		}
	}
}

// tryWrite proves that files can be made in dir; permission bits do not tell of read-only and full file systems.
func tryWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".pi-doctor-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	_, err = f.WriteString("pi doctor\n")
	return err
}

func (d *diagnosis) examineTerminal(env *Env) {
	t := &d.Terminal
	t.Stdin, t.Stdout, t.Stderr = isTerminal(env.Stdin), isTerminal(env.Stdout), isTerminal(env.Stderr)
	value := func(name string) string {
		for _, entry := range env.Environ {
			if n, v, _ := strings.Cut(entry, "="); n == name {
				return v
			}
		}
		return ""
	}
	t.Term, t.NoColor = value("TERM"), value("NO_COLOR") != ""
	t.Colors = colors(t.Term, value("COLORTERM"))
	for _, stream := range []any{env.Stdout, env.Stderr, env.Stdin} {
		if f, ok := stream.(*os.File); ok && f != nil && isTerminal(f) {
			t.Columns, t.Rows, _ = term.GetSize(int(f.Fd()))
			return
		}
	}
}

// colors is how many colours a terminal has, by the names that terminals give themselves; without a database.
func colors(name, colorterm string) int {
	switch {
	case name == "" || name == "dumb":
		return 0
	case colorterm == "truecolor" || colorterm == "24bit" || strings.HasSuffix(name, "-direct"):
		return 1 << 24
	case strings.Contains(name, "256color"):
		return 256
	case strings.HasPrefix(name, "vt"):
		return 0
	}
	return 16
}
