package pty

import (
	"time"

	"golang.org/x/sys/unix"
)

const getTermios = unix.TIOCGETA

func rest(d time.Duration) { time.Sleep(d) }
