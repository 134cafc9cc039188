package drain

import (
	"context"
	"os"
	"time"
)

// Stream identifies an output of a command. A command with a single pipe writes everything to Stdout.
type Stream uint8

// The streams of a command.
const (
	Stdout Stream = iota
	Stderr
)

// Outputs are the output pipes of one command, standard output first.
type Outputs []*Output

// Output is one output pipe: its two ends and its reader.
type Output struct {
	Writer *os.File // nil: somebody else holds it

	stream Stream
	r      *os.File
	buf    []byte // nil: Read allocates one
	reader *Reader
}

// Open creates the pipe of a command's output. If split is true, standard error gets a pipe of its own.
func Open(split bool) (Outputs, error) {
	n := 1
	if split {
		n = 2
	}
	var o Outputs
	for i := range n {
		r, w, err := Pipe(pipeSize)
		if err != nil {
			o.CloseWriters()
			o.CloseReaders()
			return nil, err
		}
		o = append(o, &Output{stream: Stream(i), r: r, Writer: w})
	}
	return o, nil
}

// Single returns the Outputs of a command whose pipe exists already; r is its reading end, which must be known to the runtime
// poller. Read uses buf.
func Single(r *os.File, buf []byte) Outputs { return Outputs{{r: r, buf: buf}} }

// CloseWriters closes the writing ends, which the command has inherited by now.
func (o Outputs) CloseWriters() {
	for _, p := range o {
		p.Writer.Close()
	}
}

// CloseReaders closes the reading ends: the next write of any process that still holds a pipe fails.
func (o Outputs) CloseReaders() {
	for _, p := range o {
		p.r.Close()
	}
}

// Read starts one goroutine per pipe that passes the data to out. Each ends at end of file, when out returns false, or at the
// end of a drain.
func (o Outputs) Read(out func(Stream, []byte) bool) {
	for _, p := range o {
		if p.buf == nil {
			p.buf = make([]byte, ReadSize)
		}
		p.reader = New(p.r, p.buf)
		go p.reader.Run(func(b []byte) bool { return out(p.stream, b) })
	}
}

// Settle drains the pipes after the command has exited by itself. It stops early when limit delivers (nil: never), and
// returns true at once if ctx is done first; the drain is not over then.
func (o Outputs) Settle(ctx context.Context, limit <-chan time.Time) (cancelled bool) {
	drained := o.drain(settleIdle, settleCap)
	select {
	case <-drained:
	case <-limit:
		for _, p := range o {
			p.reader.Stop()
		}
		<-drained
	case <-ctx.Done():
		return true
	}
	return false
}

// Finish drains the pipes after all processes of the command were killed, and closes them.
func (o Outputs) Finish() {
	<-o.drain(killedIdle, killedCap)
	o.CloseReaders()
}

// drain starts the drain of every pipe. The channel is closed when all are over.
func (o Outputs) drain(idle, total time.Duration) <-chan struct{} {
	for _, p := range o {
		p.reader.Begin(idle, total)
	}
	if len(o) == 1 {
		return o[0].reader.Done()
	}
	all := make(chan struct{})
	go func() {
		defer close(all)
		for _, p := range o {
			<-p.reader.Done()
		}
	}()
	return all
}

// Held returns the reading ends of pipes that still have a writer, by stream; nil if there are none. The caller owns them.
// Call it after Settle.
func (o Outputs) Held() map[Stream]*os.File {
	var m map[Stream]*os.File
	for _, p := range o {
		if p.reader.EOF() {
			continue
		}
		if m == nil {
			m = map[Stream]*os.File{}
		}
		_ = p.r.SetReadDeadline(time.Time{})
		m[p.stream] = p.r
	}
	return m
}
