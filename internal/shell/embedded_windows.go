package shell

import "os"

// lead is leader and interpreter in one: a process of Windows is handed no more than its three standard descriptors,
// so background jobs end with the foreground.
func lead(args []string) int { return interpretMain(args) }

func interpretMain(args []string) int {
	if args[0] != textGiven || len(args) != 2 {
		return 126
	}
	code, _ := interpret(args[1], os.Stdin, os.Stdout, os.Stderr)
	return code
}

// deserted is for systems on which a writer can learn that its reader is gone; here the next write tells.
func deserted(*os.File) bool { return false }

// again opens the file behind f once more.
func again(f *os.File) (*os.File, error) { return nil, os.ErrInvalid }

// release is for named pipes in the file system.
func release(string) {}
