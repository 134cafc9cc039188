package run

import (
	"os"

	"pi/internal/ps"
)

// SpawnDetached starts pi again with hidden arguments: away from this session, its standard input holding order,
// the other standard streams null, extra files from descriptor 3 on. It is part of no command, and outlives this process.
func SpawnDetached(args []string, order []byte, extra []*os.File) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer w.Close()
	err = ps.Outside(func() (*os.Process, error) {
		return os.StartProcess(self, append([]string{"pi"}, args...), &os.ProcAttr{
			Dir: os.TempDir(), Env: os.Environ(), Files: append([]*os.File{r, null, null}, extra...), Sys: detached(),
		})
	})
	r.Close()
	if err != nil {
		return err
	}
	_, err = w.Write(order)
	return err
}
