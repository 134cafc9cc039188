"""A client of `pi rpc`: runs a command with live updates, aborts one, reads an artifact."""

import itertools
import json
import os
import queue
import subprocess
import threading


class Pi:
    """A `pi rpc` of one's own."""

    def __init__(self, program=os.environ.get("PI", "pi")):
        self.child = subprocess.Popen([program, "rpc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.ids = itertools.count(1)
        self.waiting = {}  # a queue for each request under way
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            message = json.loads(line)
            self.waiting[message["id"]].put(message)

    def start(self, type, **fields):
        id = next(self.ids)
        self.waiting[id] = queue.Queue()
        self.child.stdin.write(json.dumps({"id": id, "type": type, **fields}) + "\n")
        self.child.stdin.flush()
        return id

    def result(self, id, on_event=lambda event: None):
        while (message := self.waiting[id].get())["type"] != "response":
            on_event(message)
        del self.waiting[id]
        if not message["success"]:
            raise RuntimeError(message["error"])
        return message.get("data")


pi = Pi()

# A command, with its output as it comes.
job = pi.start("tool_call", tool="bash", args={"command": "for i in 1 2 3; do echo step $i; sleep 0.2; done"})
result = pi.result(job, lambda e: e["type"] == "update" and print("live:", e["totalLines"], "lines"))
print("done:", result["content"][0]["text"].count("\n"), "lines")

# One that would go on for ever, ended with all its processes.
job = pi.start("bash", command="sleep 1000 & wait", session="other")
pi.result(pi.start("abort_bash", target=job))
print("aborted:", pi.result(job)["cancelled"])

# What was left out of a result is in an artifact.
result = pi.result(pi.start("bash", command="seq 1 100000"))
part = pi.result(pi.start("artifact_read", artifact=result["artifactId"], lines="500-502"))
print("artifact:", result["totalLines"], "lines,", part["text"].split())
pi.child.stdin.close()
raise SystemExit(pi.child.wait())
