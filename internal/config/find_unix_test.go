//go:build unix

package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A pipe without a writer does not block.
func TestPipeWithoutWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(LoadOptions{File: path}); err != nil {
		t.Error(err)
	}
}

// As in `pi --config <(generate) …`.
func TestProcessSubstitution(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("bash: {timeout: 5}\n"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	loaded, err := Load(LoadOptions{File: fmt.Sprintf("/dev/fd/%d", r.Fd())})
	if err != nil || loaded.Config.Bash.Timeout != 5*time.Second {
		t.Errorf("got %+v, %v", loaded, err)
	}
}

func TestDevices(t *testing.T) {
	if _, err := Load(LoadOptions{File: os.DevNull}); err != nil {
		t.Error(err)
	}
	if _, err := Load(LoadOptions{File: "/dev/zero"}); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("/dev/zero: %v", err)
	}
}
