// A client of `pi rpc`: runs a command with live updates, aborts one, reads an artifact.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
)

type request map[string]any
type message struct {
	ID          int
	Type, Error string
	Success     bool
	TotalLines  int // of an update
	Data        struct {
		Cancelled        bool
		TotalLines       int
		ArtifactID, Text string
	}
}

// until reads up to the reply with that id, and shows updates.
func until(d *json.Decoder, id int) (m message) {
	for m.Type != "response" || m.ID != id {
		m = message{}
		if err := d.Decode(&m); err != nil || m.Error != "" {
			log.Fatal(err, m.Error)
		} else if m.Type == "update" {
			fmt.Println("live:", m.TotalLines, "lines")
		}
	}
	return m
}

func main() {
	pi := exec.Command(os.Getenv("PI"), "rpc")
	in, _ := pi.StdinPipe()
	out, _ := pi.StdoutPipe()
	if err := pi.Start(); err != nil {
		log.Fatal(err)
	}
	send, d := json.NewEncoder(in).Encode, json.NewDecoder(out)
	send(request{"id": 1, "type": "bash", "command": "for i in 1 2 3; do echo step $i; sleep 0.2; done", "events": []string{"update"}})
	fmt.Println("done:", until(d, 1).Data.TotalLines, "lines")
	send(request{"id": 2, "type": "bash", "command": "sleep 1000 & wait"})
	send(request{"id": 3, "type": "abort_bash", "target": 2})
	fmt.Println("aborted:", until(d, 2).Data.Cancelled)
	send(request{"id": 4, "type": "bash", "command": "seq 1 100000"})
	all := until(d, 4).Data
	send(request{"id": 5, "type": "artifact_read", "artifact": all.ArtifactID, "lines": "500-502"})
	fmt.Println("artifact:", all.TotalLines, "lines,", strings.Fields(until(d, 5).Data.Text))
	in.Close() // the end of the server, and of all that it runs
	_ = pi.Wait()
	os.Exit(pi.ProcessState.ExitCode())
}
