package doctor

import (
	"fmt"

	"pi/internal/config"
)

// Config is the configuration file.
type Config struct {
	Path   string `json:"path"`   // where it is looked for; empty: no home directory is known
	Exists bool   `json:"exists"` // and was read
	Source string `json:"source"` // what chose the path
}

func (x *examination) config() {
	where := config.Locate(x.Input.Config)
	x.Report.Config = Config{Path: where.Path, Source: where.Source}
	loaded, err := config.Load(x.Input.Config)
	if err != nil {
		for _, p := range config.Problems(err) {
			x.problem("correct it and run `pi config check`; `pi help configuration` lists the settings", "%v", p)
		}
		x.cfg = config.Defaults()
		return
	}
	x.cfg = loaded.Config
	x.Report.Config.Exists = loaded.File != ""
	x.Warnings = append(x.Warnings, loaded.Warnings...)
}

func (c Config) String() string {
	switch {
	case c.Path == "":
		return "no config file found; using defaults"
	case c.Exists:
		return fmt.Sprintf("%s (%s)", c.Path, c.Source)
	}
	return fmt.Sprintf("no config file found; using defaults (%s, %s)", c.Path, c.Source)
}
