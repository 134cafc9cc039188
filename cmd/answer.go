package cmd

import (
	"errors"
	"strings"

	"pi/internal/config"
	"pi/internal/environ"
	"pi/internal/present"
	"pi/internal/run"
)

// answer returns err in the output format that the caller asked for: with --output json or stream-json it prints a
// result object, as for every other outcome; otherwise err is left for standard error.
func (env *Env) answer(err error) error {
	var e *ExitError
	if err == nil || errors.As(err, &e) && e.Err == nil {
		return err
	}
	format := env.format()
	if format != present.FormatJSON && format != present.FormatEvents {
		return err
	}
	if e != nil && e.Hint != "" {
		err = errors.New(err.Error() + "\nhint: " + e.Hint)
	}
	res := run.ErrorResult("", err)
	if err := present.WriteResult(env.Stdout, format, res); err != nil {
		return err
	}
	return &ExitError{Code: res.ExitStatus()}
}

// format finds the output format although the command line or the settings are invalid: the last --output among the
// arguments, else the environment, else the settings if they can be read.
func (env *Env) format() string {
	format := ""
	for i, a := range env.Args {
		if a == "--" {
			break
		}
		next := ""
		if i+1 < len(env.Args) {
			next = env.Args[i+1]
		}
		if f, ok := outputFlag(a, next); ok {
			format = f
		}
	}
	if format != "" {
		return format
	}
	if f := environ.Get(env.Environ, "PI_OUTPUT_FORMAT"); f != "" {
		return f
	}
	if loaded, err := config.Load(config.LoadOptions{Environ: env.Environ}); err == nil {
		return loaded.Config.Output.Format
	}
	return present.FormatText
}

// outputFlag parses every spelling of -o and --output, also after other short flags without a value.
func outputFlag(word, next string) (value string, ok bool) {
	if rest, long := strings.CutPrefix(word, "--output"); long {
		if rest == "" {
			return next, true
		}
		return strings.CutPrefix(rest, "=")
	}
	if !strings.HasPrefix(word, "-") || strings.HasPrefix(word, "--") {
		return "", false
	}
	flags := strings.TrimLeft(word[1:], "i")
	rest, short := strings.CutPrefix(flags, "o")
	switch {
	case !short:
		return "", false
	case rest == "":
		return next, true
	}
	return strings.TrimPrefix(rest, "="), true
}
