package run

import (
	"fmt"
	"strconv"
	"strings"

	"pi/internal/intercept"
	"pi/internal/sink"
)

// shapeError returns the result of an error of pi itself.
func shapeError(d Details, err error) Result {
	d.Status = Error
	return shape(d, "", []string{err.Error()})
}

// shapeBlocked returns the result of a command that a rule blocked.
func shapeBlocked(d Details, v intercept.Verdict) Result {
	d.Status = Blocked
	d.SuggestedTool, d.Rule = &v.Tool, &v.RuleID
	return shape(d, "", []string{intercept.Message(v.Reason, d.OriginalCommand)})
}

// shapeRun returns the result of a command from its details and the summary of its output.
func shapeRun(d Details, s sink.Summary, maxBytes int) Result {
	var notices []string
	if s.TotalBytes == 0 {
		notices = append(notices, "(no output)")
	}
	if s.Truncated {
		d.Meta = &Meta{truncation(s, maxBytes)}
		notices = append(notices, truncationNotice(s, maxBytes))
	}
	if n := endNotice(d); n != "" {
		notices = append(notices, n)
	}
	return shape(d, s.Text, notices)
}

// endNotice returns the line that describes a failure, or "" after success.
func endNotice(d Details) string {
	switch d.Status {
	case TimedOut:
		if d.TimeoutSeconds == 1 {
			return "Command timed out after 1 second"
		}
		return fmt.Sprintf("Command timed out after %s seconds", strconv.FormatFloat(d.TimeoutSeconds, 'f', -1, 64))
	case Cancelled:
		return "Command cancelled"
	case Failed:
		if d.ExitCode == nil {
			return "Command failed: missing exit status"
		}
		return fmt.Sprintf("Command exited with code %d", *d.ExitCode)
	}
	return ""
}

func truncation(s sink.Summary, maxBytes int) Truncation {
	t := Truncation{
		Direction: s.Direction, TruncatedBy: s.TruncatedBy, TotalLines: s.TotalLines, TotalBytes: s.TotalBytes,
		OutputLines: s.OutputLines, OutputBytes: s.OutputBytes, MaxBytes: maxBytes, ShownRange: Range{s.ShownStart, s.ShownEnd},
	}
	if s.ArtifactID != "" {
		t.ArtifactID = &s.ArtifactID
	}
	return t
}

// truncationNotice: [Showing lines A-B of T (50 KB limit). Full output: artifact://ID]
func truncationNotice(s sink.Summary, maxBytes int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[Showing lines %d-%d of %d", s.ShownStart, s.ShownEnd, s.TotalLines)
	if s.TruncatedBy == "bytes" {
		fmt.Fprintf(&b, " (%s limit)", size(maxBytes))
	}
	if s.ArtifactID != "" {
		fmt.Fprintf(&b, ". Full output: artifact://%s]", s.ArtifactID)
	} else {
		b.WriteString(". The rest was not kept]")
	}
	return b.String()
}

// size formats whole kibibytes as "50 KB" and anything else in bytes.
func size(n int) string {
	if n%1024 == 0 {
		return strconv.Itoa(n/1024) + " KB"
	}
	return strconv.Itoa(n) + " bytes"
}

// shape joins body and notices to the text of a result, with an empty line between the parts and no newline at the end.
func shape(d Details, body string, notices []string) Result {
	if d.Warnings == nil {
		d.Warnings = []string{}
	}
	text := body
	if len(notices) > 0 {
		switch {
		case body == "":
		case strings.HasSuffix(body, "\n"):
			text += "\n"
		default:
			text += "\n\n"
		}
		text += strings.Join(notices, "\n\n")
	}
	return Result{
		Content: []Content{{"text", text}}, IsError: d.Status != OK, Details: d, Body: body, Notices: notices,
	}
}
