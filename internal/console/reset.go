package console

// Reset makes a terminal usable after a program left it in a bad state, as far as sequences can, and leaves the content of the main
// screen in place. In this order: the end of an unfinished string or frame; the Kitty flags of the active screen;
// the main screen, whose cursor stays because its position is saved just before it is restored; its Kitty flags; all
// modes and margins, without the homing that the margins bring; charset and style.
const Reset = "\x1b\\" + kittyOff +
	"\x1b7\x1b[?1049l" + kittyOff +
	undoModes + "\x1b[?1;5;6;45;66;69l\x1b[4;20l\x1b[?7h\x1b[?1007r" +
	"\x1b7\x1b[r\x1b8" +
	"\x1b(B\x1b)B\x0f\x1b[m"

// kittyOff empties the stack of the Kitty keyboard protocol, and the flags below it.
const kittyOff = "\x1b[<99u\x1b[=0u"
