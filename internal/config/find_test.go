package config

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestLocate(t *testing.T) {
	t.Chdir(t.TempDir()) // pi must not read from here
	root := t.TempDir()
	home, xdg := filepath.Join(root, "h"), filepath.Join(root, "x")
	for _, tt := range []struct {
		name string
		o    LoadOptions
		want Location
	}{
		{"flag", LoadOptions{File: "f", Environ: []string{"PI_CONFIG=e", "HOME=" + home}}, Location{"f", "--config"}},
		{"variable", LoadOptions{Environ: []string{"PI_CONFIG=e", "HOME=" + home}}, Location{"e", "PI_CONFIG"}},
		{"empty variable", LoadOptions{Environ: []string{"PI_CONFIG=", "HOME=" + home}}, Location{filepath.Join(home, ".config", "pi", "config.yaml"), "default"}},
		{"xdg", LoadOptions{Environ: []string{"XDG_CONFIG_HOME=" + xdg, "HOME=" + home}}, Location{filepath.Join(xdg, "pi", "config.yaml"), "default"}},
		{"relative xdg", LoadOptions{Environ: []string{"XDG_CONFIG_HOME=x", "HOME=" + home}}, Location{filepath.Join(home, ".config", "pi", "config.yaml"), "default"}},
		{"relative home", LoadOptions{Environ: []string{"HOME=."}}, Location{"", "default"}},
		{"no home", LoadOptions{}, Location{"", "default"}},
		{"longer name", LoadOptions{Environ: []string{"PI_CONFIGS=e", "PI_CONFIG"}}, Location{"", "default"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Locate(tt.o); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestUnreadableFile(t *testing.T) {
	dir := t.TempDir()
	big := write(t, strings.Repeat("#", maxFile+1))
	for _, tt := range []struct {
		name string
		o    LoadOptions
		want string // part of the message after the path
	}{
		{"missing", LoadOptions{File: filepath.Join(dir, "none")}, "(named by --config)"},
		{"missing by variable", LoadOptions{Environ: []string{"PI_CONFIG=" + filepath.Join(dir, "none")}}, "(named by PI_CONFIG)"},
		{"directory", LoadOptions{File: dir}, "cannot read the configuration: "},
		{"too large", LoadOptions{File: big}, "larger than 1048576 bytes"},
		{"file as directory", LoadOptions{File: filepath.Join(big, "config.yaml")}, "cannot read the configuration: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(tt.o)
			if err == nil || !strings.HasPrefix(err.Error(), Locate(tt.o).Path+": ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestMissingDefaultFile(t *testing.T) {
	file := write(t, "tools: [a]")
	for _, home := range []string{t.TempDir(), file} { // no file, and a file in place of a directory
		if _, err := Load(LoadOptions{Environ: []string{"HOME=" + home}}); err != nil {
			t.Errorf("HOME=%s: %v", home, err)
		}
	}
}
