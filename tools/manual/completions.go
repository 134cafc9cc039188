package main

import (
	"io"
	"os"
	"path/filepath"

	"pi/cmd"
)

// writeCompletions writes the completions to where the shells look for them below share/. PowerShell has no such place.
func writeCompletions(share, name string) error {
	root := cmd.Tree(name)
	for path, generate := range map[string]func(io.Writer) error{
		"bash-completion/completions/" + name:         func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"zsh/site-functions/_" + name:                 root.GenZshCompletion,
		"fish/vendor_completions.d/" + name + ".fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"doc/" + name + "/" + name + ".ps1":           root.GenPowerShellCompletionWithDesc,
	} {
		path = filepath.Join(share, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		if err := generate(f); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
