//go:build unix

package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

const nobody = 65534

func init() {
	roles["umask"] = func(s *Store, args []string) error {
		var mask int
		fmt.Sscanf(args[0], "%o", &mask)
		unix.Umask(mask)
		return childCreate(s, strings.Repeat("x", 1000)) // large enough for a ring file
	}
	roles["limit"] = childLimit
}

// childLimit writes until the file size limit fails a write, as on a full disk, and returns the error.
func childLimit(s *Store, _ []string) error {
	signal.Ignore(unix.SIGXFSZ)
	limit := unix.Rlimit{Cur: 40 << 10, Max: 40 << 10}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	s.max = 1 << 20
	w, err := s.Create(Meta{})
	if err != nil {
		return err
	}
	for range 100 {
		if _, err = w.Write(make([]byte, 1000)); err != nil {
			break
		}
	}
	if _, again := w.Write([]byte("x")); again == nil || again.Error() != err.Error() {
		return fmt.Errorf("second write: %v", again)
	}
	if closed := w.Close(); closed == nil || closed.Error() != err.Error() {
		return fmt.Errorf("close: %v", closed)
	}
	return err
}

func TestFullDisk(t *testing.T) {
	s := newStore(t, Options{})
	out, err := child("limit", s.Dir()).CombinedOutput()
	if err == nil || string(out) != "write artifact 1: write "+filepath.Join(s.Dir(), "1.bash.log")+": file too large\n" {
		t.Errorf("%v: %s", err, out)
	}
	if got := names(t, s); got != "" {
		t.Errorf("left of the failed artifact: %s", got)
	}
	if w := put(t, s, "x"); w.ID() != "2" {
		t.Errorf("next id %s", w.ID())
	}
}

func TestModesIgnoreUmask(t *testing.T) {
	for _, mask := range []string{"000", "022", "777"} {
		s := Open(filepath.Join(t.TempDir(), "store"), Options{})
		if out, err := child("umask", s.Dir(), mask).CombinedOutput(); err != nil {
			t.Fatalf("umask %s: %v: %s", mask, err, out)
		}
		want := map[string]fs.FileMode{".": 0o700, counterName: 0o600, "1.bash.log": 0o600, "1.bash.json": 0o600}
		for name, mode := range want {
			info, err := os.Stat(filepath.Join(s.Dir(), name))
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != mode {
				t.Errorf("umask %s: %s has mode %o, want %o", mask, name, info.Mode().Perm(), mode)
			}
		}
	}
}

// asNobody changes c to run as an unprivileged user, whom file modes restrict. dir becomes its working directory.
func asNobody(t *testing.T, dir string, c *exec.Cmd) *exec.Cmd {
	t.Helper()
	if os.Geteuid() != 0 {
		return c
	}
	// Only root can access the test binary and the temporary directories.
	bin := filepath.Join(dir, "test.bin")
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bin, data, 0o755); err != nil {
		t.Fatal(err)
	}
	c.Path, c.Dir = bin, dir
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return c
}

// openTemp returns a temporary directory that other users can access.
func openTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "artifact")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReadOnlyDirectory(t *testing.T) {
	for _, name := range []string{"store", "parent"} {
		dir := openTemp(t)
		locked := filepath.Join(dir, "locked")
		if err := os.Mkdir(locked, 0o755); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(locked, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(locked, 0o555); err != nil {
			t.Fatal(err)
		}
		store := locked
		if name == "parent" {
			store = filepath.Join(locked, "a", "b")
		}
		out, err := asNobody(t, dir, child("create", store, "x")).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "permission denied") || !strings.HasPrefix(string(out), "create artifact") {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}

func TestForeignDirectory(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can create a directory that belongs to another user")
	}
	dir := openTemp(t)
	store := filepath.Join(dir, "store")
	if err := os.Mkdir(store, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(store, 0o777); err != nil {
		t.Fatal(err)
	}
	out, err := asNobody(t, dir, child("create", store, "x")).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "belongs to another user") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := asNobody(t, dir, child("list", store)).CombinedOutput(); err != nil || string(out) != "0\n" {
		t.Errorf("reading: %v: %s", err, out)
	}
}

func TestDirectoryIsMadePrivate(t *testing.T) {
	dir := t.TempDir()
	os.Chmod(dir, 0o777)
	put(t, Open(dir, Options{}), "x")
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("an empty directory kept mode %o", info.Mode().Perm())
	}
	os.Chmod(dir, 0o750)
	put(t, Open(dir, Options{}), "x")
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("a store kept mode %o", info.Mode().Perm())
	}

	shared := t.TempDir()
	os.WriteFile(filepath.Join(shared, "thesis.tex"), nil, 0o644)
	os.Chmod(shared, 0o755)
	put(t, Open(filepath.Join(shared, "."), Options{}), "x")
	os.Remove(filepath.Join(shared, counterName))
	os.Chmod(shared, 0o777)
	if _, err := Open(shared, Options{}).Create(Meta{}); err == nil || !strings.Contains(err.Error(), "can be written by others (mode 0777)") {
		t.Errorf("a directory of others: %v", err)
	}
	if info, _ := os.Stat(shared); info.Mode().Perm() != 0o777 {
		t.Errorf("the mode of a directory with other things became %o", info.Mode().Perm())
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	os.WriteFile(secret, []byte("secret"), 0o600)

	real := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	os.Symlink(real, link)
	for _, dir := range []string{link, link + "/"} {
		if _, err := Open(dir, Options{}).Create(Meta{}); err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
			t.Errorf("link as directory: %v", err)
		}
		if _, _, err := Open(dir, Options{}).List(0); err == nil {
			t.Error("a store behind a link was listed")
		}
	}
	if e, _ := os.ReadDir(real); len(e) != 0 {
		t.Errorf("written through a link: %v", e)
	}

	s := newStore(t, Options{MaxBytes: 1024})
	put(t, s, "x")
	os.Symlink(secret, filepath.Join(s.Dir(), "2.bash.log"))
	os.Symlink(secret, filepath.Join(s.Dir(), "3.bash.json.tmp"))
	os.Symlink(secret, filepath.Join(s.Dir(), "3.bash.json"))
	os.Symlink("nowhere", filepath.Join(s.Dir(), "4.bash.log"))
	w := put(t, s, numbered(5000))
	if w.ID() != "5" {
		t.Errorf("id past the links = %s, want 5", w.ID())
	}
	os.Symlink(secret, filepath.Join(s.Dir(), "6.bash.json.tmp"))
	os.Symlink(secret, filepath.Join(s.Dir(), "6.bash.ring"))
	if w, err := s.Create(Meta{}); err == nil && w.ID() == "6" {
		if _, err := w.Write([]byte(numbered(3000))); err == nil {
			t.Error("a link was taken for a ring")
		}
	}
	for _, id := range []string{"2", "4"} {
		if _, err := s.Copy(io.Discard, ref(t, id), Selection{}); err == nil {
			t.Errorf("artifact %s: a link was read", id)
		}
	}
	os.Remove(filepath.Join(s.Dir(), counterName))
	os.Symlink(secret, filepath.Join(s.Dir(), counterName))
	if _, err := s.Create(Meta{}); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("link as counter: %v", err)
	}
	if data, _ := os.ReadFile(secret); string(data) != "secret" {
		t.Errorf("the file behind the links now holds %q", data)
	}
}

func TestDirectoryRemovedWhileWriting(t *testing.T) {
	for _, size := range []int{10, 5000} {
		s := newStore(t, Options{MaxBytes: 1024})
		w := create(t, s, Meta{})
		write(t, w, "abc")
		if w.Removed() {
			t.Error("removed too early")
		}
		if err := os.RemoveAll(s.Dir()); err != nil {
			t.Fatal(err)
		}
		if !w.Removed() {
			t.Error("the removal was not noticed")
		}
		_, werr := w.Write([]byte(numbered(size)))
		err := w.Close()
		if err == nil || werr == nil && !errors.Is(err, ErrRemoved) {
			t.Errorf("Write: %v, Close: %v", werr, err)
		}
		if _, err := os.Stat(s.Dir()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the directory came back: %v", err)
		}
		if w := put(t, s, "again"); w.ID() != "1" {
			t.Errorf("in a new directory: id %s", w.ID())
		}
	}
}

func TestRemovedWhileWriting(t *testing.T) {
	s := newStore(t, Options{})
	w := create(t, s, Meta{})
	write(t, w, "abc")
	if _, err := s.Remove(ref(t, "1")); err != nil {
		t.Fatal(err)
	}
	if !w.Removed() {
		t.Error("not noticed")
	}
	if err := w.Close(); !errors.Is(err, ErrRemoved) {
		t.Errorf("Close: %v", err)
	}
	if !w.Removed() || names(t, s) != "" {
		t.Errorf("after Close: removed %v, files %s", w.Removed(), names(t, s))
	}
}
