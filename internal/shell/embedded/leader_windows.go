package embedded

import "os"

// lead is leader and interpreter in one: on Windows a process inherits only its three standard descriptors here, so background
// jobs end with the foreground.
func lead(args []string) int { return interpretMain(args) }

func interpretMain(args []string) int {
	if args[0] != textGiven || len(args) != 2 {
		return 126
	}
	code, _ := interpret(args[1], os.Stdin, os.Stdout, os.Stderr)
	return code
}

// readerGone cannot know here; the next write fails.
func readerGone(*os.File) bool { return false }

// duplicate is not supported.
func duplicate(f *os.File) (*os.File, error) { return nil, os.ErrInvalid }

// release does nothing: there are no named pipes in the file system.
func release(string) {}
