package cmd

import (
	"errors"
	"strings"

	"pi/internal/config"
	"pi/internal/run"
)

// answer gives a failure of pi itself the form that the caller asked for: with --output json or stream-json it
// becomes the one object that every outcome is, else it stays an error for standard error.
func (env *Env) answer(err error) error {
	var e *ExitError
	if err == nil || errors.As(err, &e) && e.Err == nil {
		return err
	}
	format := env.format()
	if format != formatJSON && format != formatStream {
		return err
	}
	if e != nil && e.Hint != "" {
		err = errors.New(err.Error() + "\nhint: " + e.Hint)
	}
	res := run.ErrorResult("", err)
	var werr error
	if format == formatStream {
		werr = encode(env.Stdout, resultEvent{"result", res})
	} else {
		werr = encode(env.Stdout, res)
	}
	if werr = written(werr); werr != nil {
		return werr
	}
	return &ExitError{Code: res.ExitStatus()}
}

// format finds the output format without trusting the command line, which may be what is wrong: a look at the words,
// then at the configuration.
func (env *Env) format() string {
	for i, a := range env.Args {
		if a == "--" {
			break
		}
		for _, flag := range []string{"--output", "-o"} {
			rest, ok := strings.CutPrefix(a, flag)
			switch {
			case !ok:
			case rest == "" && i+1 < len(env.Args):
				return env.Args[i+1]
			case strings.HasPrefix(rest, "="):
				return rest[1:]
			case flag == "-o" && rest != "":
				return rest
			}
		}
	}
	if loaded, err := config.Load(config.LoadOptions{Environ: env.Environ}); err == nil {
		return loaded.Config.Output.Format
	}
	return formatText
}
