package vt_test

import (
	"fmt"
	"strings"
	"testing"

	"pi/internal/vt"
)

// screenTests are small screens: what a sequence does to text around it. No row may have an unknown sequence unless it
// says so, since one that is ignored often leaves a plausible screen.
var screenTests = []struct {
	name    string
	in      string
	want    string // rows, | between them, trailing blanks and empty rows cut
	x, y    int    // the cursor afterwards
	unknown bool
	cols    int // 6 when 0
	rows    int // 4 when 0
}{
	// C0 and wrapping
	{name: "text", in: "abc", want: "abc", x: 3},
	{name: "CR LF", in: "ab\r\nc", want: "ab|c", x: 1, y: 1},
	{name: "LF alone", in: "ab\nc", want: "ab|  c", x: 3, y: 1},
	{name: "VT and FF are LF", in: "a\vb\fc", want: "a| b|  c", x: 3, y: 2},
	{name: "BS", in: "abc\b\bX", want: "aXc", x: 2},
	{name: "BS at the left edge", in: "\b\bX", want: "X", x: 1},
	{name: "BEL, NUL, ENQ and DEL show nothing", in: "a\a\x00\x05\x7fb", want: "ab", x: 2},
	{name: "pending wrap", in: "abcdef", want: "abcdef", x: 5},
	{name: "wrap", in: "abcdefg", want: "abcdef|g", x: 1, y: 1},
	{name: "pending wrap and CR", in: "abcdef\rX", want: "Xbcdef", x: 1},
	{name: "pending wrap and LF", in: "abcdef\nX", want: "abcdef|     X", x: 5, y: 1},
	{name: "pending wrap and BS", in: "abcdef\bX", want: "abcdXf", x: 5},
	{name: "pending wrap and colour", in: "abcdef\x1b[31mg", want: "abcdef|g", x: 1, y: 1},
	{name: "pending wrap and EL", in: "abcdef\x1b[KX", want: "abcdeX", x: 5},
	{name: "no autowrap", in: "\x1b[?7labcdefghi", want: "abcdei", x: 5},
	{name: "autowrap again", in: "\x1b[?7labcdefgh\x1b[?7hij", want: "abcdei|j", x: 1, y: 1},
	{name: "scroll", in: "a\r\nb\r\nc\r\nd\r\ne", want: "b|c|d|e", x: 1, y: 3},
	{name: "new line mode", in: "\x1b[20hab\nc\x1b[20l\nd", want: "ab|c| d", x: 2, y: 2},

	// cursor
	{name: "CUP", in: "\x1b[2;3HX", want: "|  X", x: 3, y: 1},
	{name: "CUP, defaults", in: "ab\x1b[HX", want: "Xb", x: 1},
	{name: "CUP, zeros", in: "ab\x1b[0;0HX", want: "Xb", x: 1},
	{name: "CUP, clamped", in: "\x1b[99;99HX", want: "|||     X", x: 5, y: 3},
	{name: "CUP, huge", in: "\x1b[99999999999999999999;99999999999999999999HX", want: "|||     X", x: 5, y: 3},
	{name: "HVP", in: "\x1b[3;2fX", want: "|| X", x: 2, y: 2},
	{name: "CUU CUD CUF CUB", in: "\x1b[3;3H\x1b[AA\x1b[2BB\x1b[2DC\x1b[CD", want: "|  A||  CBD", x: 5, y: 3},
	{name: "CUU stops at the top", in: "\x1b[3;3H\x1b[99AX", want: "  X", x: 3},
	{name: "CUD stops at the bottom", in: "\x1b[99BX", want: "|||X", x: 1, y: 3},
	{name: "CNL CPL", in: "ab\x1b[2EX\x1b[FY", want: "ab|Y|X", x: 1, y: 1},
	{name: "CHA HPA", in: "abc\x1b[2GX\x1b[5`Y", want: "aXc Y", x: 5},
	{name: "HPR VPA VPR", in: "a\x1b[2aX\x1b[2dY\x1b[eZ", want: "a  X|    Y|     Z", x: 5, y: 2},
	{name: "DECSC DECRC", in: "ab\x1b7\x1b[3;3HX\x1b8c", want: "abc||  X", x: 3},
	{name: "SCOSC SCORC", in: "ab\x1b[s\x1b[3;3HX\x1b[uc", want: "abc||  X", x: 3},
	{name: "DECRC with nothing saved", in: "ab\x1b8X", want: "Xb", x: 1},
	{name: "DECSC keeps the pending wrap", in: "abcdef\x1b7\x1b[H\x1b8g", want: "abcdef|g", x: 1, y: 1},
	{name: "IND NEL RI", in: "a\x1bDb\x1bEc\x1bMd", want: "a| d|c", x: 2, y: 1},
	{name: "RI at the top", in: "a\r\nb\x1b[H\x1bMX", want: "X|a|b", x: 1},
	{name: "controls within a sequence", in: "a\x1b[\r2\nCX", want: "a|  X", x: 3, y: 1},
	{name: "CAN ends a sequence", in: "a\x1b[3\x18Cb", want: "aCb", x: 3},
	{name: "ESC ends a sequence", in: "a\x1b[3\x1b[CXb", want: "a Xb", x: 4},

	// tabs
	{name: "HT", in: "a\tX", want: "a       X", x: 9, cols: 20},
	{name: "HT at the edge", in: "a\tX", want: "a    X", x: 5},
	{name: "HTS", in: "\x1b[3G\x1bH\ra\tX", want: "a X", x: 3},
	{name: "TBC", in: "\x1b[9G\x1b[g\r\tX", want: "                X", x: 17, cols: 20},
	{name: "TBC of all", in: "\x1b[3g\tX", want: "                   X", x: 19, cols: 20},
	{name: "CHT CBT", in: "\x1b[2IX\x1b[2ZY", want: "        Y       X", x: 9, cols: 20},
	{name: "DECST8C", in: "\x1b[3g\x1b[?5W\tX", want: "        X", x: 9, cols: 20},

	// erasing
	{name: "ED 0", in: "abc\r\ndef\r\nghi\x1b[2;2H\x1b[J", want: "abc|d", x: 1, y: 1},
	{name: "ED 1", in: "abc\r\ndef\r\nghi\x1b[2;2H\x1b[1J", want: "|  f|ghi", x: 1, y: 1},
	{name: "ED 2", in: "abc\r\ndef\x1b[2JX", want: "|   X", x: 4, y: 1},
	{name: "DECSED", in: "abc\x1b[?2JX", want: "   X", x: 4},
	{name: "EL 0", in: "abcd\x1b[2G\x1b[K", want: "a", x: 1},
	{name: "EL 1", in: "abcd\x1b[2G\x1b[1K", want: "  cd", x: 1},
	{name: "EL 2", in: "abcd\x1b[2G\x1b[2KX", want: " X", x: 2},
	{name: "DECSEL", in: "abcd\x1b[2G\x1b[?K", want: "a", x: 1},
	{name: "ECH", in: "abcd\x1b[2G\x1b[2X", want: "a  d", x: 1},
	{name: "ECH, huge", in: "abcd\x1b[2G\x1b[65536X", want: "a", x: 1},
	{name: "DECALN", in: "a\x1b#8X", want: "XEEEEE|EEEEEE|EEEEEE|EEEEEE", x: 1},
	{name: "erase after DECALN", in: "\x1b#8\x1b[2;3H\x1b[K\x1b[1K", want: "EEEEEE||EEEEEE|EEEEEE", x: 2, y: 1},

	// inserting and deleting
	{name: "ICH", in: "abcdef\x1b[2G\x1b[2@X", want: "aX bcd", x: 2},
	{name: "DCH", in: "abcdef\x1b[2G\x1b[2P", want: "adef", x: 1},
	{name: "DCH, huge", in: "abcdef\x1b[2G\x1b[999999P", want: "a", x: 1},
	{name: "IRM", in: "abc\r\x1b[4hXY\x1b[4lZ", want: "XYZbc", x: 3},
	{name: "IL", in: "a\r\nb\r\nc\x1b[2;2H\x1b[LX", want: "a|X|b|c", x: 1, y: 1},
	{name: "DL", in: "a\r\nb\r\nc\x1b[2;2H\x1b[MX", want: "a|X", x: 1, y: 1},
	{name: "IL, huge", in: "a\r\nb\r\nc\x1b[2H\x1b[99999L", want: "a", y: 1},
	{name: "SU", in: "a\r\nb\r\nc\x1b[S", want: "b|c", x: 1, y: 2},
	{name: "SD", in: "a\r\nb\r\nc\x1b[2T", want: "||a|b", x: 1, y: 2},
	{name: "SU, huge", in: "a\r\nb\r\nc\x1b[99999999S", want: "", x: 1, y: 2},
	{name: "REP", in: "ab\x1b[3bX", want: "abbbbX", x: 5},
	{name: "REP wraps", in: "a\x1b[6bX", want: "aaaaaa|aX", x: 2, y: 1},
	{name: "REP of nothing", in: "\x1b[3bX", want: "X", x: 1},
	{name: "REP of a wide character", in: "日\x1b[bX", want: "日日X", x: 5},

	// scroll region and origin
	{name: "DECSTBM scrolls within", in: "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\nX", want: "a|c|X|d", x: 1, y: 2},
	{name: "DECSTBM, RI", in: "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[2;1H\x1bMX", want: "a|X|b|d", x: 1, y: 1},
	{name: "DECSTBM, LF below", in: "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[4;1H\nX", want: "a|b|c|X", x: 1, y: 3},
	{name: "DECSTBM, IL", in: "a\r\nb\r\nc\r\nd\x1b[1;3r\x1b[2;1H\x1b[L", want: "a||b|d", y: 1},
	{name: "DECSTBM, DL outside", in: "a\r\nb\r\nc\r\nd\x1b[1;2r\x1b[3;1H\x1b[M", want: "a|b|c|d", y: 2},
	{name: "DECSTBM, SU", in: "a\r\nb\r\nc\r\nd\x1b[2;4r\x1b[S", want: "a|c|d"},
	{name: "DECSTBM of one row is refused", in: "a\r\nb\x1b[2;2rX", want: "a|bX", x: 2, y: 1},
	{name: "DECSTBM, reset", in: "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[r\x1b[4;1H\nX", want: "b|c|d|X", x: 1, y: 3},
	{name: "DECOM", in: "\x1b[2;3r\x1b[?6hX\x1b[9;2HY", want: "|X| Y", x: 2, y: 2},
	{name: "DECOM off", in: "\x1b[2;3r\x1b[?6h\x1b[?6lX", want: "X", x: 1},
	{name: "DECOM and a scroll beyond the region", in: "\x1b[?6h\x1b[20;30r\x1b[SX", want: "X", x: 1},
	{name: "CUU stops at the region", in: "\x1b[2;3r\x1b[3;1H\x1b[9AX", want: "|X", x: 1, y: 1},
	{name: "CUD stops at the region", in: "\x1b[2;3r\x1b[2;1H\x1b[9BX", want: "||X", x: 1, y: 2},

	// left and right margins
	{name: "DECSLRM, text from the margin", in: "\x1b[?69h\x1b[2;4s\x1b[1;2Habcdefg", want: " abc| def| g", x: 2, y: 2},
	{name: "DECSLRM, LF scrolls the block", in: "aaaaaa\r\nbbbbbb\r\ncccccc\r\ndddddd\x1b[?69h\x1b[2;4s\x1b[4;2H\nX", want: "abbbaa|bcccbb|cdddcc|dX  dd", x: 2, y: 3},
	{name: "DECSLRM, SD", in: "aaaaaa\r\nbbbbbb\x1b[?69h\x1b[2;4s\x1b[T", want: "a   aa|baaabb| bbb"},
	{name: "DECSLRM, ICH and DCH", in: "abcdef\r\nabcdef\x1b[?69h\x1b[2;4s\x1b[1;2H\x1b[@\x1b[2;2H\x1b[P", want: "a bcef|acd ef", x: 1, y: 1},
	{name: "DECSLRM, IL", in: "aaaaaa\r\nbbbbbb\x1b[?69h\x1b[2;4s\x1b[1;3H\x1b[L", want: "a   aa|baaabb| bbb", x: 1},
	{name: "DECSLRM, CR", in: "\x1b[?69h\x1b[2;4s\x1b[2;3H\rX", want: "| X", x: 2, y: 1},
	{name: "DECSLRM off", in: "\x1b[?69h\x1b[2;4s\x1b[?69labcdefg", want: "abcdef|g", x: 1, y: 1},
	{name: "DECIC DECDC", in: "abcdef\r\nabcdef\x1b[1;2H\x1b['}\x1b[1;5H\x1b[2'~", want: "a bc|a bc", x: 4},
	{name: "SL SR", in: "abcdef\r\nabcdef\x1b[2 @\x1b[ A", want: " cdef| cdef", x: 5, y: 1},
	{name: "DECBI DECFI", in: "abcdef\r\x1b6\x1b[6G\x1b9\x1b9", want: "bcde", x: 5},

	// character sets
	{name: "line drawing", in: "\x1b(0lqk\x1b(Bq", want: "┌─┐q", x: 4},
	{name: "SO SI", in: "\x1b)0\x0ex\x0fx", want: "│x", x: 2},
	{name: "SS2", in: "\x1b*0\x1bNxx", want: "│x", x: 2},
	{name: "LS3", in: "\x1b+0\x1boxx\x1b(Bx\x0fx", want: "│││x", x: 4},
	{name: "UK", in: "\x1b(A#\x1b(B#", want: "£#", x: 2},

	// wide characters and clusters
	{name: "wide", in: "日本x", want: "日本x", x: 5},
	{name: "wide wraps early", in: "abcde日", want: "abcde|日", x: 2, y: 1},
	{name: "wide, left half replaced", in: "日本\rX", want: "X 本", x: 1},
	{name: "wide, right half replaced", in: "日本\x1b[2GX", want: " X本", x: 2},
	{name: "wide, both", in: "日本\x1b[2GXY", want: " XY", x: 3},
	{name: "wide over wide", in: "日本\x1b[2G語", want: " 語", x: 3},
	{name: "wide, erased in half", in: "日本語\x1b[2G\x1b[2X", want: "    語", x: 1},
	{name: "wide, EL in half", in: "日本語\x1b[4G\x1b[K", want: "日", x: 3},
	{name: "wide, DCH in half", in: "日本語\x1b[2G\x1b[P", want: " 本語", x: 1},
	{name: "wide, ICH at the edge", in: "a日本x\r\x1b[@", want: " a日本"},
	{name: "wide, ICH cuts the last", in: "日本語\r\x1b[@", want: " 日本"},
	{name: "combining", in: "e\u0301x", want: "e\u0301x", x: 2},
	{name: "combining over an escape", in: "e\x1b[1m\u0301x", want: "e\u0301x", x: 2},
	{name: "combining at the edge", in: "abcdee\u0301x", want: "abcdee\u0301|x", x: 1, y: 1},
	{name: "combining after DECALN is dropped", in: "ab\x1b#8\u0301x", want: "xEEEEE|EEEEEE|EEEEEE|EEEEEE", x: 1},
	{name: "combining after a move is dropped", in: "ab\x1b[D\u0301x", want: "ax", x: 2},
	{name: "emoji with skin tone", in: "👍🏽x", want: "👍🏽x", x: 3},
	{name: "emoji family", in: "👨‍👩‍👧x", want: "👨‍👩‍👧x", x: 3},
	{name: "flag", in: "🇩🇪🇫🇷x", want: "🇩🇪🇫🇷x", x: 5},
	{name: "VS16 widens", in: "❤\ufe0fx", want: "❤\ufe0fx", x: 3},
	{name: "VS16 at the edge stays narrow", in: "abcde❤\ufe0fx", want: "abcde❤\ufe0f|x", x: 1, y: 1},
	{name: "Hangul of parts", in: "\u1112\u1161\u11abx", want: "\u1112\u1161\u11abx", x: 3},
	{name: "zero width space is dropped", in: "a\u200bb", want: "ab", x: 2},
	{name: "invalid UTF-8", in: "a\xffb\xe2\x82c\xc0\xafd", want: "a\ufffdb\ufffdc\ufffd|\ufffdd", x: 2, y: 1},
	{name: "surrogate", in: "\xed\xa0\x80x", want: "\ufffd\ufffd\ufffdx", x: 4},
	{name: "ESC cuts a character", in: "\xe6\x97\x1b[CX", want: "\ufffd X", x: 3},
	{name: "C1 as characters", in: "a\u009b2CX\u0085Y", want: "a  X|Y", x: 1, y: 1},
	{name: "bare C1 bytes are not UTF-8", in: "\x9b2CX", want: "\ufffd2CX", x: 4},

	// screens
	{name: "47 keeps the alternate screen", in: "\x1b[?47hA\x1b[?47lB\x1b[?47h", want: "A", x: 2},
	{name: "47 leaves the cursor", in: "a\x1b[?47hA\x1b[?47lB", want: "a B", x: 3},
	{name: "1047 clears when left", in: "\x1b[?1047hA\x1b[?1047l\x1b[?47h", want: "", x: 1},
	{name: "1048", in: "ab\x1b[?1048h\x1b[3;3H\x1b[?1048lX", want: "abX", x: 3},
	{name: "1049", in: "ab\x1b[?1049hX\x1b[?1049lc", want: "abc", x: 3},
	{name: "1049 clears when entered", in: "\x1b[?47hA\x1b[?47l\x1b[?1049h", want: "", x: 1},
	{name: "RIS", in: "abc\x1b[2;3r\x1b[?6h\x1b[4h\x1bcX", want: "X", x: 1},
	{name: "RIS from the alternate screen", in: "abc\x1b[?1049hY\x1bcX", want: "X", x: 1},
	{name: "DECSTR", in: "ab\x1b[4h\x1b[?7l\x1b[!p\rcdefghi", want: "cdefgh|i", x: 1, y: 1},

	// strings and what is not known
	{name: "OSC with BEL", in: "a\x1b]0;title\ab", want: "ab", x: 2},
	{name: "OSC with ST", in: "a\x1b]2;title\x1b\\b", want: "ab", x: 2},
	{name: "OSC with U+009C", in: "a\x1b]2;für\u009cb", want: "ab", x: 2},
	{name: "OSC cut by CAN", in: "a\x1b]2;title\x18b", want: "ab", x: 2},
	{name: "OSC cut by CSI", in: "a\x1b]2;title\x1b[Cb", want: "a b", x: 3},
	{name: "OSC 8", in: "\x1b]8;;http://x/\x1b\\ab\x1b]8;;\x1b\\c", want: "abc", x: 3},
	{name: "OSC 52", in: "\x1b]52;c;YWJj\aab", want: "ab", x: 2},
	{name: "APC, PM and SOS", in: "a\x1b_Gi=1;AAAA\x1b\\b\x1b^x\x1b\\c\x1bXx\x1b\\d", want: "abcd", x: 4},
	{name: "sixel", in: "a\x1bPq#0;2;0;0;0~~\x1b\\b", want: "ab", x: 2, unknown: true},
	{name: "unknown CSI", in: "a\x1b[1;2yb\x1b[>5zc\x1b[1<md", want: "abcd", x: 4, unknown: true},
	{name: "unknown ESC", in: "a\x1b\"xb\x1bYc", want: "abc", x: 3, unknown: true},
	{name: "C1 byte within a sequence", in: "a\x1b[3éb", want: "aéb", x: 3},
}

// dump returns the screen as the tables write it.
func dump(t *vt.Terminal) string { return strings.TrimRight(strings.Join(t.ScreenText(), "|"), "|") }

func TestScreens(t *testing.T) {
	for _, tt := range screenTests {
		t.Run(tt.name, func(t *testing.T) {
			term := vt.New(vt.Options{Cols: max(tt.cols, 6), Rows: max(tt.rows, 4)})
			fmt.Fprint(term, tt.in)
			if got := dump(term); got != tt.want {
				t.Errorf("%q\n got %q\nwant %q", tt.in, got, tt.want)
			}
			if c := term.Cursor(); c.X != tt.x || c.Y != tt.y {
				t.Errorf("%q: cursor at %d,%d, want %d,%d", tt.in, c.X, c.Y, tt.x, tt.y)
			}
			if got := term.Unknown() > 0; got != tt.unknown {
				t.Errorf("%q: unknown sequences: %v, want %v", tt.in, got, tt.unknown)
			}
		})
	}
}
