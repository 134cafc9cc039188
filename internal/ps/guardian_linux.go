package ps

import (
	"os"
	"syscall"
)

// spawnGuardian runs this program as a guardian with r as its only descriptor that means something: in a session of
// its own, so that no signal to pi's group reaches it, and away from pi's directory and output. The running program
// is what /proc/self/exe names even when its file was replaced.
func spawnGuardian(r *os.File) (*os.Process, error) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	return os.StartProcess("/proc/self/exe", []string{"pi", guardianArg}, &os.ProcAttr{
		Dir:   "/",
		Env:   guardianEnv(),
		Files: []*os.File{r, null, null},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
}

// guardianEnv keeps the run ids of the pis around, so that they find this guardian.
func guardianEnv() []string {
	env := []string{"GOMAXPROCS=1"}
	if outer, ok := os.LookupEnv(MarkerName); ok {
		env = append(env, MarkerName+"="+outer)
	}
	return env
}
