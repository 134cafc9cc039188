package console

import (
	"sync"
	"time"
)

// A liveView draws frames of a region in its own goroutine: when something changed, when the terminal was
// resized, and once a second for the clock. A slow terminal misses frames and never blocks the caller of touch.
type liveView struct {
	screen  Screen
	frame   func(cols, rows int, now time.Time) []row // at most rows-1
	resized <-chan struct{}
	dirty   chan struct{} // holds one item while there is something new
	quit    chan struct{}
	done    chan struct{}
	once    sync.Once
	stopped sync.Once
	region  region
}

func newLiveView(s Screen, resized <-chan struct{}, frame func(int, int, time.Time) []row) *liveView {
	return &liveView{
		screen: s, frame: frame, resized: resized, region: region{out: s},
		dirty: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{}),
	}
}

// start starts drawing.
func (v *liveView) start() {
	v.once.Do(func() {
		v.touch()
		go v.run()
	})
}

// touch requests a new frame.
func (v *liveView) touch() {
	select {
	case v.dirty <- struct{}{}:
	default:
	}
}

// stop ends the drawing and erases the region.
func (v *liveView) stop() {
	v.stopped.Do(func() {
		close(v.quit)
		v.once.Do(func() { close(v.done) }) // was never started
		<-v.done
		if cols, _ := v.screen.Size(); v.screen.Foreground() {
			v.region.clear(cols)
		}
	})
}

// err returns the error of the first failed write. Call it after stop.
func (v *liveView) err() error { return v.region.err }

// settleTime is how long a view waits before its first frame: a shorter run needs none.
const settleTime = 60 * time.Millisecond

func (v *liveView) run() {
	defer close(v.done)
	select {
	case <-time.After(settleTime):
	case <-v.quit:
		return
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-v.dirty:
		case <-v.resized:
		case <-tick.C:
		case <-v.quit:
			return
		}
		v.draw()
		pause.Reset(frameTime)
		select {
		case <-pause.C:
		case <-v.quit:
			return
		}
	}
}

func (v *liveView) draw() {
	if !v.screen.Foreground() {
		v.region.forget()
		return
	}
	cols, rows := v.screen.Size()
	v.region.draw(v.frame(cols, rows, time.Now()), cols)
}
