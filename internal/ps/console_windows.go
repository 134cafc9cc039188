package ps

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

// spawnInConsole starts c attached to its pseudo-console, suspended until it is in the job. Package os cannot: the console
// travels as an attribute of the new process.
func (j job) spawnInConsole(c Command) (child, job, error) {
	p, err := createInConsole(c)
	if err == nil {
		err = windows.AssignProcessToJobObject(j.handle, p.Process)
	}
	if err == nil {
		_, err = windows.ResumeThread(p.Thread)
	}
	if p.Thread != 0 {
		_ = windows.CloseHandle(p.Thread)
	}
	if err != nil {
		if p.Process != 0 {
			_ = windows.TerminateProcess(p.Process, 1)
			_ = windows.CloseHandle(p.Process)
		}
		j.close()
		return child{}, job{}, fmt.Errorf("start %s: %w", c.Path, err)
	}
	return child{int(p.ProcessId), func() State { return awaitHandle(p.Process) }}, j, nil
}

// awaitHandle waits for a process to end, and closes its handle.
func awaitHandle(h windows.Handle) State {
	defer windows.CloseHandle(h)
	var code uint32
	if ev, err := windows.WaitForSingleObject(h, windows.INFINITE); err != nil || ev != windows.WAIT_OBJECT_0 {
		return State{ExitCode: -1}
	}
	if windows.GetExitCodeProcess(h, &code) != nil {
		return State{ExitCode: -1}
	}
	return State{ExitCode: int(code)}
}

func createInConsole(c Command) (p windows.ProcessInformation, err error) {
	path, err := windows.UTF16PtrFromString(c.Path)
	if err != nil {
		return p, err
	}
	line, err := windows.UTF16PtrFromString(windows.ComposeCommandLine(c.Args))
	if err != nil {
		return p, err
	}
	var dir *uint16
	if c.Dir != "" {
		if dir, err = windows.UTF16PtrFromString(c.Dir); err != nil {
			return p, err
		}
	}
	list, err := windows.NewProcThreadAttributeList(1)
	if err != nil {
		return p, err
	}
	defer list.Delete()
	// The value of this attribute is the console's handle itself, not where that stands.
	console := *(*unsafe.Pointer)(unsafe.Pointer(&c.Console))
	if err := list.Update(windows.PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE, console, unsafe.Sizeof(c.Console)); err != nil {
		return p, err
	}
	start := windows.StartupInfoEx{ProcThreadAttributeList: list.List()}
	start.Cb = uint32(unsafe.Sizeof(start))
	start.Flags = windows.STARTF_USESTDHANDLES // none: pi's own, when they are files, would win over the console
	const flags = windows.CREATE_SUSPENDED | windows.CREATE_UNICODE_ENVIRONMENT | windows.EXTENDED_STARTUPINFO_PRESENT
	err = windows.CreateProcess(path, line, nil, nil, false, flags, environmentBlock(c.Env), dir, &start.StartupInfo, &p)
	return p, err
}

// environmentBlock is the environment as CreateProcess wants it: each entry with a NUL after it, and one more at the end.
func environmentBlock(env []string) *uint16 {
	var b strings.Builder
	for _, kv := range env {
		if !strings.Contains(kv, "\x00") {
			b.WriteString(kv + "\x00")
		}
	}
	b.WriteString("\x00")
	if len(env) == 0 {
		b.WriteString("\x00")
	}
	return &utf16.Encode([]rune(b.String()))[0]
}
