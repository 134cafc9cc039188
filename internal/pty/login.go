package pty

import (
	"strings"

	"pi/internal/shelltext"
)

// keepName carries the variables of [Options.Keep] past the login profile.
const keepName = "PI_PTY_ENV"

// loginText returns the text and environment for the login shell. A login shell reads /etc/profile and ~/.profile,
// which often set PATH, PAGER and others; the variables in Keep are set after them, and PATH keeps every directory it had
// before. The text stays on its line, so that messages have the right line number.
func loginText(o Options) (text string, env []string) {
	script := keepScript(o)
	if script == "" {
		return o.Command, o.Env
	}
	env = append(append([]string(nil), o.Env...), keepName+"="+script)
	return `eval "$` + keepName + `";unset ` + keepName + ";" + o.Command, env
}

func keepScript(o Options) string {
	var b strings.Builder
	kept := false
	for _, kv := range o.Keep {
		name, value, ok := strings.Cut(kv, "=")
		if !ok {
			continue
		}
		kept = kept || name == "PATH"
		b.WriteString("export " + name + "=" + shelltext.QuoteAlways(value) + ";")
	}
	for _, kv := range o.Env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok && path != "" && !kept {
			p := shelltext.QuoteAlways(path)
			b.WriteString(`[ "$PATH" = ` + p + ` ]||export PATH="$PATH:"` + p + ";")
		}
	}
	return b.String()
}
