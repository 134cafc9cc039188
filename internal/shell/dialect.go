package shell

import (
	"path/filepath"
	"strings"
)

// Dialect is everything in which one shell differs from another, as data: how it is started, what leads a session of it, and
// how its rc files become a snapshot. There is one file per shell, dialect_NAME.go; [dialects] lists them. The paths and texts
// that the functions take are words and lines of that shell's language.
type Dialect struct {
	Name     string   // of the program, without suffix
	Language Language // of its command texts

	fromEnv bool     // $SHELL may select it
	flags   []string // between argv[0] and the command text

	versionVariable string // empty: none

	// readText is a command text that evaluates the one on standard input, whatever its length, and reads all of it before
	// user code runs. The command's own standard input is descriptor 3 then.
	readText string

	// withSnapshot adds a snapshot script to the start of a shell. nil: the shell has no snapshots.
	withSnapshot func(args, env []string, script string) ([]string, []string)

	// RCVariables are the variables that say where the rc files are. They reach the shell that reads those.
	RCVariables []string

	Session  SessionDialect
	Snapshot *SnapshotDialect // nil: the shell has no snapshots
}

// Language is a family of shells that read the same texts.
type Language uint8

// The languages.
const (
	POSIX Language = iota // sh and its descendants
	Fish
)

// SessionDialect is what the driver of a session needs to know; session/driver.go explains why. The texts are for POSIX shells;
// another language has a driver of its own.
type SessionDialect struct {
	Builtin     string // word that calls a builtin even if there is a function of its name
	Cd          string // words that change the directory silently, up to its name
	Eval        string // evaluates $_pi_u with a stray error contained; DO stands for Builtin
	Repair      string // removes a function with the name of Builtin
	SaveTraps   string // prints the traps that run between commands, and removes them
	ExportAll   string // prints the exported variables
	Silence     string // redirection that hides what the driver does between two runs
	AssignFlags string // flags of $- that change what an assignment does

	// EndlessFor says that the shell has `for ((;;))`.
	EndlessFor bool
	// EvalRedirects says that redirections of `eval` are undone only after a trap for EXIT has run. The command is then
	// redirected by them, and the shell itself keeps no descriptor of a run's output.
	EvalRedirects bool
	// OwnMessages says that the shell's own messages ignore redirections. They get a pipe of their own.
	OwnMessages bool
	// AlwaysExports says that every report contains the exported variables, because nobody can tell from a text whether it
	// changes them.
	AlwaysExports bool
	// Reserved are the variables that no string can be assigned to, separated by blanks.
	Reserved string
}

// SnapshotDialect is what a snapshot of the rc files needs to know; the room snapshot explains the steps.
type SnapshotDialect struct {
	// RCFiles lists the files that an interactive shell reads: the user's, without which there is no snapshot, and the
	// system's and usual companions.
	RCFiles func(home string, env []string) (own, others []string)

	// ScriptFile is the file name that the script must have; the entry is a directory then. Empty: any.
	ScriptFile string

	// CoreNames are further names that the rc files must not change, separated by blanks; it begins with one.
	CoreNames string
	// Variables are exported variables that describe the shell or where it ran, beyond those of all shells; blanks around each.
	Variables string
	// HookPrefix begins the names of functions that the shell calls by itself. Empty: none.
	HookPrefix string

	// DumpFlags start an interactive shell that runs the text which follows. DumpStart is the beginning of that text; its
	// end is the word for DumpBody, which prints the records that the room snapshot reads. {CHANNEL} is the file to print
	// to, {MARK} what the answer begins and ends with.
	DumpFlags []string
	DumpStart string
	DumpBody  string

	// CheckFlags make the shell parse the script file that follows without running it.
	CheckFlags []string

	// The script is Prologue, functions, BeforeAliases, SetOptions with the options, aliases, Epilogue.
	Prologue      string
	Function      func(name, text string) string // a whole definition from what the dump printed of it
	BeforeAliases string
	SetOptions    string
	Epilogue      string // leaves $? and $_ as they are in a shell that has run nothing
}

// dialects are all that a program can have. The last one is for programs of any other name.
var dialects = [...]*Dialect{&bash, &zsh, &fish, &posix}

// DialectOf returns the dialect of a program by its name.
func DialectOf(path string) *Dialect {
	name := programName(path)
	for _, d := range dialects {
		if d.Name == name {
			return d
		}
	}
	return &posix
}

// programName is what a shell calls itself in messages: its file's name.
func programName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".exe") }
