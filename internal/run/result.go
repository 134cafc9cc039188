package run

// Status says how a run ended.
type Status string

// The values of Status.
const (
	OK        Status = "ok"        // exit status 0
	Failed    Status = "failed"    // another exit status, or a signal
	TimedOut  Status = "timeout"   // terminated at its timeout
	Cancelled Status = "cancelled" // terminated at the caller's request
	Blocked   Status = "blocked"   // not run because of an interception rule
	Error     Status = "error"     // pi could not run it
)

// Result is the outcome of a run. Its JSON form is what `--output json` prints.
type Result struct {
	Content []Content `json:"content"`
	IsError bool      `json:"isError"`
	Details Details   `json:"details"`

	// Body is the bounded text of the command alone, without notices.
	Body string `json:"-"`
	// Notices are the lines that Content has after Body.
	Notices []string `json:"-"`
}

// Content is one part of a tool result; pi has text parts only.
type Content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Details hold everything about a run that its text does not say. A pointer is nil when its value does not apply.
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
	TimeoutSeconds  float64  `json:"timeoutSeconds"` // 0: none, for a person at a terminal who set none
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

// Meta is present when part of the output is not shown.
type Meta struct {
	Truncation Truncation `json:"truncation"`
}

// Truncation says how much of the whole output a text shows. Lines are numbered from 1; a partly shown line counts.
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

// Exit statuses of results without an exit code of a command.
const (
	exitTimeout = 124
	exitError   = 125
	exitBlocked = 126
)

// ExitStatus returns the exit status of a pi process with this result. That of a cancelled run depends on who cancelled it
// and is for the caller to set.
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

// ErrorResult returns the result of a request that was not run because of err, such as bad usage or a bad configuration.
func ErrorResult(command string, err error) Result {
	return shapeError(Details{Backend: backend, Command: command, OriginalCommand: command}, err)
}
