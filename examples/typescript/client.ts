// A client of `pi rpc`: runs a command with live updates, aborts one, reads an artifact.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

type Message = { id: number; type: string; success?: boolean; error?: string; data?: any; totalLines?: number }
type Waiting = { resolve(data: any): void; reject(e: Error): void; onEvent?: (event: Message) => void }

/** A `pi rpc` of one's own. Requests may overlap. */
class Pi {
  private child = spawn(process.env.PI ?? 'pi', ['rpc'], { stdio: ['pipe', 'pipe', 'inherit'] })
  private waiting = new Map<number, Waiting>()
  private last = 0

  constructor() {
    createInterface({ input: this.child.stdout }).on('line', line => this.receive(JSON.parse(line)))
  }

  private receive(message: Message): void {
    const waiting = this.waiting.get(message.id)
    if (message.type !== 'response') return waiting?.onEvent?.(message)
    this.waiting.delete(message.id)
    if (message.success) waiting?.resolve(message.data)
    else waiting?.reject(new Error(message.error))
  }

  /** Sends a request; its id is there at once, its data when it is done. */
  send(type: string, fields: object, onEvent?: Waiting['onEvent']): { id: number; data: Promise<any> } {
    const id = ++this.last
    const data = new Promise<any>((resolve, reject) => this.waiting.set(id, { resolve, reject, onEvent }))
    this.child.stdin.write(JSON.stringify({ id, type, ...fields }) + '\n')
    return { id, data }
  }

  /** Ends the server with all that it runs, and gives its exit status. */
  close(): Promise<number | null> {
    this.child.stdin.end()
    return new Promise(resolve => this.child.on('close', resolve))
  }
}

const pi = new Pi()

// A command, with its output as it comes.
const args = { command: 'for i in 1 2 3; do echo step $i; sleep 0.2; done' }
const done = await pi.send('tool_call', { tool: 'bash', args }, e => e.type === 'update' && console.log('live:', e.totalLines, 'lines')).data
console.log('done:', done.content[0].text.split('\n').length - 1, 'lines')

// One that would go on for ever, ended with all its processes.
const job = pi.send('bash', { command: 'sleep 1000 & wait', session: 'other' })
await pi.send('abort_bash', { target: job.id }).data
console.log('aborted:', (await job.data).cancelled)

// What was left out of a result is in an artifact.
const { artifactId, totalLines } = await pi.send('bash', { command: 'seq 1 100000' }).data
const part = await pi.send('artifact_read', { artifact: artifactId, lines: '500-502' }).data
console.log('artifact:', totalLines, 'lines,', part.text.split('\n').slice(0, -1))
process.exitCode = (await pi.close()) ?? 1
