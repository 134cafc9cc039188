package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/run"
)

// Artifacts is the store of full outputs.
type Artifacts struct {
	Dir           string `json:"dir"`
	Enabled       bool   `json:"enabled"`
	Exists        bool   `json:"exists"`
	Writable      bool   `json:"writable"` // it, or the directory it will be created in
	Count         int    `json:"count"`
	Bytes         int64  `json:"bytes"` // stored
	MaxBytes      int64  `json:"maxBytes"`
	MaxTotalBytes int64  `json:"maxTotalBytes"`
	FreeBytes     int64  `json:"freeBytes"` // of the file system; -1: unknown
}

func (x *examination) artifacts() {
	set := x.cfg.Artifacts
	if set.Dir == "" {
		set.Dir = artifact.DefaultDir(x.Environ)
	}
	a := &x.Report.Artifacts
	*a = Artifacts{Dir: set.Dir, Enabled: set.MaxBytes > 0, MaxBytes: set.MaxBytes, MaxTotalBytes: set.MaxTotalBytes, FreeBytes: -1}
	const hint = "set artifacts.dir or PI_ARTIFACTS_DIR to a directory of your own, or artifacts.maxBytes to 0 to save no output"
	switch {
	case !a.Enabled:
		return
	case a.Dir == "":
		x.problem(hint, "full output cannot be saved: neither XDG_STATE_HOME nor HOME is an absolute path")
		return
	}
	list, count, err := run.OpenStore(set, x.Environ).List(0)
	if err != nil {
		x.problem(hint, "%v", err)
		return
	}
	a.Count = count
	for _, m := range list {
		a.Bytes += m.StoredBytes
	}
	base, exists := existing(a.Dir)
	a.Exists, a.FreeBytes = exists, freeBytes(base)
	if err := tryWrite(base); err != nil {
		x.problem(hint, "full output cannot be saved in %s: %v", a.Dir, err)
		return
	}
	a.Writable = true
}

// existing returns dir, or the nearest directory above it that exists.
func existing(dir string) (base string, itself bool) {
	for base = dir; ; base = filepath.Dir(base) {
		if _, err := os.Lstat(base); !errors.Is(err, fs.ErrNotExist) || base == filepath.Dir(base) {
			return base, base == dir
		}
	}
}

// tryWrite proves that files can be created in dir; permission bits do not show read-only and full file systems.
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

func (a Artifacts) String() string {
	if !a.Enabled {
		return "off (artifacts.maxBytes is 0)"
	}
	if a.Dir == "" {
		return "no directory"
	}
	state := "not writable"
	switch {
	case a.Writable && a.Exists:
		state = "writable"
	case a.Writable:
		state = "created when needed"
	}
	words := fmt.Sprintf("%s: %s, %d saved, %s of %s, each at most %s", a.Dir, state, a.Count, roughSize(a.Bytes), config.FormatSize(a.MaxTotalBytes), config.FormatSize(a.MaxBytes))
	if a.FreeBytes >= 0 {
		words += ", " + roughSize(a.FreeBytes) + " free"
	}
	return words
}
