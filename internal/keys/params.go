package keys

import "math"

// params reads the parameters of a CSI sequence from left to right.
type params struct {
	data []byte // the sequence without its final byte
	at   int
}

func (p *params) done() bool { return p.at >= len(p.data) }

// eat takes b if it is next.
func (p *params) eat(b byte) bool {
	if p.at < len(p.data) && p.data[p.at] == b {
		p.at++
		return true
	}
	return false
}

// number takes the decimal digits that are next. It fails where there are none, and where they exceed 32 bits.
func (p *params) number() (uint32, bool) {
	start, n := p.at, uint64(0)
	for p.at < len(p.data) {
		d := p.data[p.at] - '0'
		if d > 9 {
			break
		}
		n = n*10 + uint64(d)
		if n > math.MaxUint32 {
			return 0, false
		}
		p.at++
	}
	return uint32(n), p.at > start
}

// modifiers takes modifiers : event and gives the modifiers less one. The event may be missing; the modifiers too,
// where mayBeEmpty.
func (p *params) modifiers(mayBeEmpty bool) (field uint32, event EventType, ok bool) {
	field = 1
	if !mayBeEmpty || p.atDigit() {
		if field, ok = p.number(); !ok || field == 0 {
			return 0, NoEvent, false
		}
	}
	event, ok = p.event()
	return field - 1, event, ok
}

// lastModifiers takes what follows the number of a ~ sequence: ; modifiers, : event, both, or nothing.
func (p *params) lastModifiers() (field uint32, event EventType, ok bool) {
	if p.eat(';') {
		return p.modifiers(false)
	}
	event, ok = p.event()
	return 0, event, ok
}

// event takes : event if it is next. Numbers that name no event are NoEvent.
func (p *params) event() (EventType, bool) {
	if !p.eat(':') {
		return NoEvent, true
	}
	n, ok := p.number()
	if !ok || n > uint32(Release) {
		return NoEvent, ok
	}
	return EventType(n), true
}

func (p *params) atDigit() bool { return p.at < len(p.data) && p.data[p.at]-'0' <= 9 }
