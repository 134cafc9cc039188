package vt

// kittyFlags are the flags of the Kitty keyboard protocol (https://sw.kovidgoyal.net/kitty/keyboard-protocol/) of one
// screen, and those that were pushed.
type kittyFlags struct {
	flags int
	stack []uint8
}

const (
	maxKitty  = 16 // entries; the oldest go
	kittyMask = 1<<5 - 1
)

func (k *kittyFlags) push(flags int) {
	if len(k.stack) == maxKitty {
		k.stack = append(k.stack[:0], k.stack[1:]...)
	}
	k.stack = append(k.stack, uint8(k.flags))
	k.flags = flags & kittyMask
}

func (k *kittyFlags) pop(n int) {
	if n > len(k.stack) {
		*k = kittyFlags{}
		return
	}
	at := len(k.stack) - n
	k.flags, k.stack = int(k.stack[at]), k.stack[:at]
}

// set replaces the flags (how 1), sets the given flags (2) or clears them (3).
func (k *kittyFlags) set(flags, how int) {
	flags &= kittyMask
	switch how {
	case 1:
		k.flags = flags
	case 2:
		k.flags |= flags
	case 3:
		k.flags &^= flags
	}
}
