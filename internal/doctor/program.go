package doctor

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"pi/internal/environ"
)

// Program is this program, and others of its name.
type Program struct {
	Path   string   `json:"path"`   // empty: unknown
	OnPath bool     `json:"onPath"` // PATH leads to it
	Others []string `json:"others"` // other programs of this name on PATH, in its order
}

// program finds other programs that are started by the same name.
func (x *examination) program() {
	p := &x.Report.Program
	p.Others = []string{}
	self, err := os.Executable()
	if err != nil {
		x.warn("the path of this program is unknown: %v", err)
		return
	}
	p.Path = self
	before := ""
	for _, file := range programsOnPath(environ.Get(x.Environ, "PATH"), x.Name) {
		switch {
		case sameFile(file, self):
			p.OnPath = true
		default:
			if !p.OnPath && before == "" {
				before = file
			}
			p.Others = append(p.Others, file)
		}
	}
	switch {
	case before != "" && p.OnPath:
		x.warn("another %s on PATH: %s comes before this one", x.Name, before)
	case before != "":
		x.warn("another %s on PATH: %s; this one is not on PATH (%s)", x.Name, before, self)
	case len(p.Others) > 0:
		x.warn("another %s on PATH: %s comes after this one", x.Name, p.Others[0])
	}
}

// programsOnPath returns every executable of that name on PATH, in its order and each file once.
func programsOnPath(path, name string) (found []string) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
search:
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) { // what it means depends on where one is
			continue
		}
		file, err := exec.LookPath(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		for _, known := range found {
			if sameFile(file, known) {
				continue search
			}
		}
		found = append(found, file)
	}
	return found
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
