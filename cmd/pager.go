package cmd

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"

	"pi/internal/environ"
	"pi/internal/present"
)

// page writes text to standard output, through the user's pager if that is a terminal.
func page(env *Env, text string) error {
	var pager *exec.Cmd
	if isTerminal(env.Stdout) {
		pager = pagerCommand(env)
	}
	if pager == nil {
		_, err := io.WriteString(env.Stdout, text)
		return present.WriteError(err)
	}
	pager.Stdin, pager.Stdout, pager.Stderr = strings.NewReader(text), env.Stdout, env.Stderr
	interrupts := make(chan os.Signal, 1) // Ctrl-C is the pager's, which shares the terminal
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	err := pager.Run()
	var status *exec.ExitError
	if err == nil || errors.As(err, &status) { // a pager that was left early is no failure
		return nil
	}
	_, err = io.WriteString(env.Stdout, text)
	return present.WriteError(err)
}

// pagerCommand returns $PAGER, or else less or more; nil if there is none.
func pagerCommand(env *Env) *exec.Cmd {
	own := environ.Get(env.Environ, "PAGER")
	switch {
	case own == "cat":
		return nil
	case own != "" && runtime.GOOS != "windows":
		return pagerIn(env, exec.Command("sh", "-c", own)) // it may have options
	}
	for _, name := range []string{own, "less", "more"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return pagerIn(env, exec.Command(path))
		}
	}
	return nil
}

// pagerIn has less leave at once when the page fits the screen, unless LESS says how the user likes it.
func pagerIn(env *Env, c *exec.Cmd) *exec.Cmd {
	c.Env = env.Environ
	if environ.Get(env.Environ, "LESS") == "" {
		c.Env = append(c.Env[:len(c.Env):len(c.Env)], "LESS=FRX")
	}
	return c
}
