package vt

const (
	maxParams = 32
	maxParam  = 65535
)

// params are the numbers of a CSI or DCS. A number may have been left out, which is -1, and may have been joined to the
// one before with a colon.
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

// get returns value i, or the default when it was left out.
func (p *params) get(i, def int) int {
	if i >= p.n || p.value[i] < 0 {
		return def
	}
	return int(p.value[i])
}

// count returns value i as a count: 0 and absent mean 1.
func (p *params) count(i int) int { return max(p.get(i, 1), 1) }

// joined reports whether value i follows a colon.
func (p *params) joined(i int) bool { return i < p.n && p.colon>>i&1 != 0 }
