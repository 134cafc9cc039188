package ps

// ownProgram names the running program, even when its file was replaced or removed.
func ownProgram() (string, error) { return "/proc/self/exe", nil }
