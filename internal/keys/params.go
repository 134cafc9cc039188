package keys

import "math"

// The parameter parsers take the bytes of a sequence without its final byte and the index to parse at. They return the
// index after the parameter, or a negative one if it is invalid.

// number parses decimal digits. It fails if there are none or they exceed 32 bits.
func number(b []byte, i int) (n uint32, next int) {
	start, sum := i, uint64(0)
	for ; i < len(b); i++ {
		d := b[i] - '0'
		if d > 9 {
			break
		}
		if sum = sum*10 + uint64(d); sum > math.MaxUint32 {
			return 0, -1
		}
	}
	if i == start {
		return 0, -1
	}
	return uint32(sum), i
}

// at reports whether b has c at index i.
func at(b []byte, i int, c byte) bool { return i < len(b) && b[i] == c }

func atDigit(b []byte, i int) bool { return i < len(b) && b[i]-'0' <= 9 }

// modifiers parses modifiers : event, where the event may be missing, and returns the modifiers minus one.
func modifiers(b []byte, i int) (field uint32, event EventType, next int) {
	if field, i = number(b, i); i < 0 || field == 0 {
		return 0, NoEvent, -1
	}
	event, i = eventField(b, i)
	return field - 1, event, i
}

// lastModifiers parses the rest of a ~ sequence after its number: ; modifiers, : event, both, or nothing.
func lastModifiers(b []byte, i int) (field uint32, event EventType, next int) {
	if at(b, i, ';') {
		return modifiers(b, i+1)
	}
	event, i = eventField(b, i)
	return 0, event, i
}

// eventField parses : event if it is next. Unknown event numbers are NoEvent.
func eventField(b []byte, i int) (EventType, int) {
	if !at(b, i, ':') {
		return NoEvent, i
	}
	n, i := number(b, i+1)
	if n > uint32(Release) {
		n = uint32(NoEvent)
	}
	return EventType(n), i
}
