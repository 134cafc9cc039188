package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pi/internal/testmain"
)

// run runs a program in the root of the repository and returns what it prints.
func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = "..", append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// files lists the files below dir, by their paths in it.
func files(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			list = append(list, strings.TrimPrefix(path, dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func needFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	for _, name := range want {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: missing or empty (%v)", name, err)
		}
	}
}

// TestInstallUnderAnotherName installs pi as pish, as people do who have another pi.
func TestInstallUnderAnotherName(t *testing.T) {
	root := t.TempDir()
	target := []string{"DESTDIR=" + root, "PREFIX=/opt", "NAME=pish"}
	run(t, nil, testmain.Tool(t, "make"), append([]string{"install"}, target...)...)
	bin, share := filepath.Join(root, "opt/bin/pish"), filepath.Join(root, "opt/share")
	needFiles(t, share, "man/man1/pish.1", "man/man1/pish-run.1", "man/man5/pish-configuration.5", "man/man7/pish-rpc.7",
		"bash-completion/completions/pish", "zsh/site-functions/_pish", "fish/vendor_completions.d/pish.fish",
		"doc/pish/pish.ps1", "doc/pish/LICENSE", "doc/pish/licenses.txt")
	home := []string{"HOME=" + t.TempDir(), "PATH=" + filepath.Dir(bin) + ":" + os.Getenv("PATH"), "SHELL=/bin/bash"}

	t.Run("help", func(t *testing.T) {
		for _, args := range [][]string{{"--help"}, {"help", "run"}, {"help"}} {
			text := run(t, home, bin, args...)
			if call := regexp.MustCompile(`(^|\s)pi ((run|help|session)\b|\[)`).FindString(text); call != "" || !strings.Contains(text, "pish ") {
				t.Errorf("%q calls %q:\n%s", args, call, text)
			}
		}
	})
	t.Run("messages", func(t *testing.T) {
		c := exec.Command(bin, "nonesuch")
		out, _ := c.CombinedOutput()
		if want := "pish: unknown command \"nonesuch\"\npish: hint: pish --help lists the commands\n"; string(out) != want {
			t.Errorf("%q, want %q", out, want)
		}
	})
	t.Run("registration", func(t *testing.T) {
		text := run(t, home, bin, "init", "gemini", "--dry-run")
		if !strings.Contains(text, `"pish"`) || !strings.Contains(text, bin) {
			t.Errorf("registers\n%s", text)
		}
	})
	t.Run("bash completion", func(t *testing.T) {
		// Without the package bash-completion the script needs two of its functions; compopt works only while bash completes.
		script := `_get_comp_words_by_ref() { cur=${COMP_WORDS[COMP_CWORD]}; prev=${COMP_WORDS[COMP_CWORD-1]}; words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD; }
			__ltrim_colon_completions() { :; }; compopt() { :; }
			. "$1"
			complete -p pish | grep -q __start_pish || exit 1
			COMP_WORDS=(pish kill) COMP_CWORD=1 COMP_LINE="pish kill" COMP_POINT=9 COMP_TYPE=9
			__start_pish
			printf '%s\n' "${COMPREPLY[@]}"`
		text := run(t, home, testmain.Tool(t, "bash"), "-c", script, "bash", filepath.Join(share, "bash-completion/completions/pish"))
		if strings.TrimSpace(text) != "killtree" {
			t.Errorf("kill<TAB> completes to %q", text)
		}
	})
	t.Run("man pages", func(t *testing.T) {
		mandoc := testmain.Tool(t, "mandoc")
		for _, name := range files(t, filepath.Join(share, "man")) {
			run(t, nil, mandoc, "-Tlint", "-Wwarning", filepath.Join(share, "man", name))
		}
		text := run(t, nil, mandoc, "-Tascii", filepath.Join(share, "man/man1/pish-run.1"))
		text = regexp.MustCompile(`.\x08`).ReplaceAllString(text, "") // bold and underlined characters
		for _, want := range []string{"PISH-RUN(1)", "pish run", "--timeout SECONDS", "EXAMPLES", "pish(1)"} {
			if !strings.Contains(text, want) {
				t.Errorf("pish-run(1) lacks %q:\n%s", want, text)
			}
		}
	})
	t.Run("uninstall", func(t *testing.T) {
		run(t, nil, "make", append([]string{"uninstall"}, target...)...)
		if left := files(t, root); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	})
}

// TestPackages builds the deb and the rpm and looks into them with the systems' own tools.
func TestPackages(t *testing.T) {
	dpkg, rpm := testmain.Tool(t, "dpkg-deb"), testmain.Tool(t, "rpm")
	for _, pattern := range []string{"../dist/*.deb", "../dist/*.rpm"} {
		old, _ := filepath.Glob(pattern)
		for _, name := range old {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	run(t, nil, testmain.Tool(t, "make"), "package")
	find := func(pattern string) string {
		list, err := filepath.Glob(pattern)
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %q, %v", pattern, list, err)
		}
		name, err := filepath.Abs(list[0])
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	want := []string{"/usr/bin/pi", "/usr/share/man/man1/pi.1", "/usr/share/man/man1/pi-run.1", "/usr/share/man/man5/pi-configuration.5",
		"/usr/share/bash-completion/completions/pi", "/usr/share/zsh/site-functions/_pi", "/usr/share/fish/vendor_completions.d/pi.fish",
		"/usr/share/doc/pi/LICENSE", "/usr/share/doc/pi/licenses.txt"}

	t.Run("deb", func(t *testing.T) {
		deb, root := find("../dist/*.deb"), t.TempDir()
		info := run(t, nil, dpkg, "--info", deb)
		for _, field := range []string{"Package: pi\n", "Version: 0.1.0", "Maintainer: ", "Description: "} {
			if !strings.Contains(info, field) {
				t.Errorf("lacks %q:\n%s", field, info)
			}
		}
		run(t, nil, dpkg, "-x", deb, root)
		needFiles(t, root, want...)
		if text := run(t, nil, filepath.Join(root, "usr/bin/pi"), "version"); !strings.HasPrefix(text, "pi ") {
			t.Errorf("the packed program prints %q", text)
		}
	})
	t.Run("rpm", func(t *testing.T) {
		list := strings.Fields(run(t, nil, rpm, "-qlp", find("../dist/*.rpm")))
		for _, name := range want {
			if !strings.Contains(" "+strings.Join(list, " ")+" ", " "+name+" ") {
				t.Errorf("lacks %s: %q", name, list)
			}
		}
	})
}
