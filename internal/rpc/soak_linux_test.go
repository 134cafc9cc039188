package rpc

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/run"
	"pi/internal/toolcall"
)

// TestSoak sends requests of every kind, including aborts and kills: memory, descriptors and goroutines must not grow.
// PI_LONG=1 makes it 200,000 requests.
func TestSoak(t *testing.T) {
	const cycle = 12 // rounds after which the same sessions exist
	rounds := 2 * cycle
	if os.Getenv("PI_LONG") != "" {
		rounds = (200_000/soakRound/cycle + 1) * cycle
	}
	cfg := config.Defaults()
	cfg.Shell.Path, cfg.Shell.Snapshot = "/bin/bash", "off"
	store := artifact.Open(t.TempDir(), artifact.Options{MaxTotalBytes: 64 << 20})
	l := toolcall.NewLocal(run.New(cfg, []string{"PATH=/usr/bin:/bin", "HOME=/"}, store), "/")
	defer l.Close()
	c := serveWith(t, NewServer(Options{Engine: l, Build: "1", Greet: true, DefaultSession: DefaultSession, Artifacts: store}))
	var before cost
	for i := range rounds {
		soak(t, c, i)
		if i+1 == max(rounds/4/cycle, 1)*cycle { // everything has been used once by then
			before = costNow(t)
		}
	}
	after := costNow(t)
	t.Logf("%d requests; after a quarter of them %v, at the end %v", rounds*soakRound, before, after)
	if after.heap > before.heap*3/2+4<<20 || after.files > before.files+20 || after.goroutines > before.goroutines+10 {
		t.Errorf("from %v to %v", before, after)
	}
}

// soakRound is the number of requests of a round.
const soakRound = 20 + short

// short is the number of short commands in it.
const short = 60

// soak plays one round: commands that end by themselves, one that is aborted, shells that are killed, invalid lines, and
// sessions that come and go.
func soak(t *testing.T, c *client, i int) {
	t.Helper()
	session := fmt.Sprintf("s%d", i%3)
	lines := []string{
		`{"id":1,"type":"bash","command":"true"}`,
		`{"id":2,"type":"bash","session":"` + session + `","command":"x=$((x+1)); echo $x"}`,
		`{"id":3,"type":"bash","session":"` + session + `","command":"echo {1..20}","events":["text","partial"]}`,
		`{"id":4,"type":"hello"}`,
		`{"id":5,"type":"abort_bash"`, // no JSON
		`{"id":6,"type":"fly"}`,
		`{"id":7,"type":"sessions"}`,
		`{"id":8,"type":"abort_bash","target":"nobody"}`,
		`{"id":9,"type":"bash"}`,
		`{"id":10,"type":"artifact_read","artifact":"last","head":3}`,
		`{"id":11,"type":"bash","session":"` + session + `","command":"printf a"}`,
		`{"id":12,"type":"bash","session":"` + session + `","command":":"}`,
		`{"id":13,"type":"bash","session":"` + session + `","command":"false"}`,
		`{"id":14,"type":"pty_write","target":"nobody","data":"x"}`,
		`{"id":15,"type":"bash","session":"` + session + `","command":"cd /; pwd"}`,
		`{"id":16,"type":"session_close","session":"nobody"}`,
		`{"id":17,"type":"bash","session":"long","command":"echo there; exec sleep 1000","events":["update"]}`,
	}
	for n := range short {
		lines = append(lines, fmt.Sprintf(`{"id":"q%d","type":"bash","session":"q%d","command":"y=%d"}`, n, n%2, n))
	}
	c.write(strings.Join(lines, "\n") + "\n")
	replies := 0
	count := func(m Message) {
		if m.IsReply() {
			replies++
		}
	}
	c.until(func(m Message) bool { count(m); return m.Type == eventUpdate && string(m.ID) == "17" })
	c.write(`{"id":18,"type":"abort_bash","session":"long","force":true}` + "\n")
	switch i % 4 {
	case 0:
		c.write(`{"id":19,"type":"bash","session":"` + session + `","command":"kill -9 $$"}` + "\n" + `{"id":20,"type":"session_close","session":"` + session + `"}` + "\n")
	case 1:
		c.write(`{"id":19,"type":"pty_start","command":"read x; echo $x"}` + "\n" + `{"id":20,"type":"pty_write","target":19,"data":"y\n"}` + "\n")
	case 2:
		c.write(`{"id":19,"type":"tool_call","tool":"bash","args":{"command":"seq 1 20000 | tail -n 3"}}` + "\n" + `{"id":20,"type":"hello"}` + "\n")
	default:
		c.write(`{"id":19,"type":"tool_call","tool":"bash","args":{"session":"x","command":"sleep 1000 & echo a"}}` + "\n" + `{"id":20,"type":"session_close","session":"x"}` + "\n")
	}
	for replies < soakRound {
		count(c.message())
	}
}

// cost is what this process holds.
type cost struct {
	heap              uint64 // bytes in use after a collection
	files, goroutines int
}

func (c cost) String() string {
	return fmt.Sprintf("%d KiB of heap, %d descriptors, %d goroutines", c.heap>>10, c.files, c.goroutines)
}

// costNow measures the cost when what ends by itself has ended.
func costNow(t *testing.T) (c cost) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	for least := (cost{goroutines: 1 << 30}); ; {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		if now := (cost{m.HeapAlloc, len(files), runtime.NumGoroutine()}); now.goroutines+now.files < least.goroutines+least.files {
			least = now
		}
		select {
		case <-ctx.Done():
			return least
		case <-time.After(50 * time.Millisecond):
		}
	}
}
