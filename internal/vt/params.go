package vt

const (
	maxParams = 32
	maxParam  = 65535
)

// params are the numeric parameters of a CSI or DCS. An omitted parameter is -1. A parameter after a colon is a
// subparameter of the one before (ISO 8613-6).
type params struct {
	n     int
	value [maxParams]int32
	colon uint32 // bit i: value i follows a colon
	over  bool   // there were more
}

func (p *params) clear() { p.n, p.colon, p.over = 0, 0, false }

// add takes one byte of 0-9 : ;.
func (p *params) add(b byte) {
	if p.over {
		return
	}
	if p.n == 0 {
		p.n, p.value[0] = 1, -1
	}
	if b >= ':' {
		if p.n == maxParams {
			p.over = true
			return
		}
		p.value[p.n] = -1
		if b == ':' {
			p.colon |= 1 << p.n
		}
		p.n++
		return
	}
	v := &p.value[p.n-1]
	*v = min(max(*v, 0)*10+int32(b-'0'), maxParam)
}

// get returns parameter i, or def if it was omitted.
func (p *params) get(i, def int) int {
	if i >= p.n || p.value[i] < 0 {
		return def
	}
	return int(p.value[i])
}

// count returns parameter i as a repeat count; omitted and 0 mean 1.
func (p *params) count(i int) int { return max(p.get(i, 1), 1) }

// joined reports whether parameter i is a subparameter: it follows a colon.
func (p *params) joined(i int) bool { return i < p.n && p.colon>>i&1 != 0 }
