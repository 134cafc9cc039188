package console

import (
	"runtime"
	"strings"

	"pi/internal/environ"
)

// Color is how many colours a terminal shows.
type Color uint8

// The palettes, each including those before it.
const (
	NoColor Color = iota
	Color16
	Color256
	TrueColor
)

// Profile is what the user's terminal can do, as its environment tells.
type Profile struct {
	Color Color
	// Dumb terminals take no cursor movement: text is all they get.
	Dumb bool
	// ASCII is for terminals whose locale has no other characters.
	ASCII bool
}

// NewProfile reads an environment (KEY=VALUE). mode is the setting: auto, always or never. NO_COLOR, when not empty,
// counts in auto alone (https://no-color.org). A TERM that is empty or missing says nothing of the terminal, so
// that, as in git, it is dumb.
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

// palette finds the colours by name: COLORTERM is what terminals set that have them all.
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

// isASCII goes by the locale, as far as there is one: containers often have none, and a terminal that shows more.
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

// glyph picks the plain form where there is nothing better.
func (p Profile) glyph(unicode, ascii string) string {
	if p.ASCII {
		return ascii
	}
	return unicode
}

func (p Profile) dot() string      { return p.glyph(" · ", " - ") }
func (p Profile) ellipsis() string { return p.glyph("…", "...") }
