package shell

// ownProgram is the running program, even when its file was replaced or removed meanwhile.
func ownProgram() (string, error) { return "/proc/self/exe", nil }
