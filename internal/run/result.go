package run

// Status is how a run ended, one word for each way.
type Status string

// The ways in which a run ends.
const (
	OK        Status = "ok"        // exit status 0
	Failed    Status = "failed"    // another exit status, or a signal
	TimedOut  Status = "timeout"   // ended at its timeout
	Cancelled Status = "cancelled" // ended because the caller wanted it
	Blocked   Status = "blocked"   // an interception rule kept it from running
	Error     Status = "error"     // pi could not run it
)

// Result is what a run gives its caller; its JSON form is the answer of `--output json`.
type Result struct {
	Content []Content `json:"content"`
	IsError bool      `json:"isError"`
	Details Details   `json:"details"`

	// Body is the bounded text of the command alone, without notices.
	Body string `json:"-"`
	// Notices are what was added to Body to make the text of Content, one entry each.
	Notices []string `json:"-"`
}

// Content is one part of a tool result; pi has only text parts.
type Content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Details say everything about a run that its text does not. Pointers are null when there is nothing to tell.
type Details struct {
	Status          Status   `json:"status"`
	ExitCode        *int     `json:"exitCode"` // 128+n when signal n ended the shell; null when there is none
	Signal          *string  `json:"signal"`   // "SIGKILL"
	Cancelled       bool     `json:"cancelled"`
	TimedOut        bool     `json:"timedOut"`
	Backend         string   `json:"backend"`
	Command         string   `json:"command"`         // as run
	OriginalCommand string   `json:"originalCommand"` // as given
	Cwd             string   `json:"cwd"`
	TimeoutSeconds  float64  `json:"timeoutSeconds"` // 0: none, before a person who gave none
	DurationMs      int64    `json:"durationMs"`
	HeadLines       *int     `json:"headLines"`
	TailLines       *int     `json:"tailLines"`
	SuggestedTool   *string  `json:"suggestedTool"`
	Rule            *string  `json:"rule"`
	Survivors       int      `json:"survivors"` // processes that could not be killed
	Warnings        []string `json:"warnings"`

	// BackgroundJobs are the processes that the command, or earlier ones of its session, left running.
	BackgroundJobs []Job           `json:"backgroundJobs,omitempty"`
	Session        *SessionDetails `json:"session,omitempty"` // nil: not in a session
	Meta           *Meta           `json:"meta,omitempty"`
}

// Meta is present when something of the output was left out.
type Meta struct {
	Truncation Truncation `json:"truncation"`
}

// Truncation counts what a text shows of the whole output. Lines are numbered from 1; a partly shown line counts as
// shown.
type Truncation struct {
	Direction   string  `json:"direction"`   // "tail" or "head": the side that is shown
	TruncatedBy string  `json:"truncatedBy"` // "bytes" or "lines"
	TotalLines  int64   `json:"totalLines"`
	TotalBytes  int64   `json:"totalBytes"`
	OutputLines int64   `json:"outputLines"`
	OutputBytes int64   `json:"outputBytes"`
	MaxBytes    int     `json:"maxBytes"`
	ShownRange  Range   `json:"shownRange"`
	ArtifactID  *string `json:"artifactId"`
}

// Range is a range of lines, both ends included.
type Range struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

// Exit statuses of the ways that have no status of their own.
const (
	exitTimeout = 124
	exitError   = 125
	exitBlocked = 126
)

// ExitStatus is the process exit status for this result. A cancelled run has none: it depends on who cancelled.
func (r Result) ExitStatus() int {
	switch r.Details.Status {
	case OK:
		return 0
	case TimedOut:
		return exitTimeout
	case Blocked:
		return exitBlocked
	case Failed:
		if r.Details.ExitCode != nil {
			return *r.Details.ExitCode
		}
	}
	return exitError
}

// ErrorResult is the answer to a request that never came to run: bad usage, a bad configuration.
func ErrorResult(command string, err error) Result {
	return shapeError(Details{Backend: backend, Command: command, OriginalCommand: command}, err)
}
