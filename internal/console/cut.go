package console

import (
	"fmt"

	"pi/internal/run"
)

// truncated says why a text is not whole, and where the whole one is.
func truncated(t run.Truncation) string {
	why := fmt.Sprintf("Output cut to lines %d-%d of %d", t.ShownRange.Start, t.ShownRange.End, t.TotalLines)
	if t.TruncatedBy == "bytes" {
		why += fmt.Sprintf(" (%d KB limit)", t.MaxBytes/1024)
	}
	if t.ArtifactID == nil {
		return why + ". The rest was not kept"
	}
	return why + ". Full output: artifact://" + *t.ArtifactID
}
