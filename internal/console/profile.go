package console

import (
	"runtime"
	"strings"

	"pi/internal/environ"
)

// Color is a palette that a terminal supports.
type Color uint8

// The palettes, each including those before it.
const (
	NoColor Color = iota
	Color16
	Color256
	TrueColor
)

// Profile describes the abilities of the user's terminal, from its environment.
type Profile struct {
	Color Color
	// Dumb terminals support no cursor movement and get text only.
	Dumb bool
	// ASCII reports that the locale has no other characters.
	ASCII bool
}

// NewProfile reads an environment (KEY=VALUE). mode is the setting: auto, always or never. NO_COLOR, when not empty,
// matters in auto mode only (https://no-color.org). An empty or missing TERM does not describe the terminal, so
// it counts as dumb, as in git.
func NewProfile(mode string, env []string, terminal bool) Profile {
	name := environ.Get(env, "TERM")
	p := Profile{Dumb: !terminal || isDumb(name), ASCII: isASCII(env, name)}
	switch {
	case mode == "never", mode != "always" && (p.Dumb || environ.Get(env, "NO_COLOR") != ""):
	default:
		p.Color = palette(name, environ.Get(env, "COLORTERM"))
	}
	return p
}

func isDumb(name string) bool {
	return name == "dumb" || name == "" && runtime.GOOS != "windows"
}

// palette derives the palette from TERM and COLORTERM, which true-colour terminals set.
func palette(name, colorterm string) Color {
	if colorterm == "truecolor" || colorterm == "24bit" || strings.HasSuffix(name, "-direct") || runtime.GOOS == "windows" && name == "" {
		return TrueColor
	}
	for _, known := range []string{"kitty", "ghostty", "wezterm", "alacritty", "foot", "contour"} {
		if strings.Contains(name, known) {
			return TrueColor
		}
	}
	if strings.Contains(name, "256color") {
		return Color256
	}
	return Color16
}

// isASCII reports whether the locale is limited to ASCII. No locale means false: containers often have none.
func isASCII(env []string, name string) bool {
	if name == "linux" || name == "vt100" || name == "vt220" {
		return true
	}
	for _, v := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(environ.Get(env, v)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}

// paint wraps s in the SGR parameters sgr, if the terminal has colours.
func (p Profile) paint(sgr, s string) string {
	if p.Color == NoColor || s == "" {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

func (p Profile) bold(s string) string   { return p.paint("1", s) }
func (p Profile) dim(s string) string    { return p.paint("2", s) }
func (p Profile) red(s string) string    { return p.paint("31", s) }
func (p Profile) green(s string) string  { return p.paint("32", s) }
func (p Profile) yellow(s string) string { return p.paint("33", s) }
func (p Profile) cyan(s string) string   { return p.paint("36", s) }

// glyph returns the ASCII form if the terminal has no other.
func (p Profile) glyph(unicode, ascii string) string {
	if p.ASCII {
		return ascii
	}
	return unicode
}

func (p Profile) dot() string      { return p.glyph(" · ", " - ") }
func (p Profile) ellipsis() string { return p.glyph("…", "...") }
