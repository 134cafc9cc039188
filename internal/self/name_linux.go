package self

import "os"

// SetProcessName has ps, pgrep and pkill show this process under name, cut to 15 bytes. A process that was started
// through [Path] is called exe otherwise. Failure does no harm and is ignored.
func SetProcessName(name string) { _ = os.WriteFile("/proc/self/comm", []byte(name), 0) }
