package drain

import "golang.org/x/sys/unix"

const fionread = unix.TIOCINQ // the same number under its Linux name
