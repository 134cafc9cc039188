package cmd

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"pi/internal/shelltext"
)

// maxCommandText bounds a command text read from standard input, in bytes.
const maxCommandText = 64 << 20

// errNoCommand is returned to callers, which add an example of their own.
var errNoCommand = errors.New("no command given")

// commandText returns the shell text for the COMMAND arguments. One argument is the text itself; several are an
// argument vector, and are quoted; a single `-` reads standard input.
func commandText(env *Env, args []string) (string, error) {
	switch {
	case len(args) == 0:
		return "", errNoCommand
	case len(args) == 1 && args[0] == "-":
		return readCommand(env.Stdin)
	case len(args) == 1:
		return args[0], nil
	}
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = shelltext.Quote(a)
	}
	if strings.Contains(reserved, " "+args[0]+" ") {
		quoted[0] = "'" + args[0] + "'"
	}
	return strings.Join(quoted, " "), nil
}

func readCommand(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxCommandText+1))
	if err != nil {
		return "", fmt.Errorf("read the command from standard input: %w", err)
	}
	if len(text) > maxCommandText {
		return "", fmt.Errorf("the command on standard input is longer than %d MiB", maxCommandText>>20)
	}
	return string(text), nil
}

// reserved words start a shell construct if they come first and are not quoted.
const reserved = " if then else elif fi for while until do done case esac in function select time coproc repeat foreach end nocorrect "
