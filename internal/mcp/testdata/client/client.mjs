// Drives a server with the official TypeScript clients: node client.mjs v1|v2|v2-legacy COMMAND [ARG…]
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [which, command, ...args] = process.argv.slice(2)
const v1 = which === 'v1'
const { Client } = await import(v1 ? '@modelcontextprotocol/sdk/client/index.js' : '@modelcontextprotocol/client')
const { StdioClientTransport } = await import(v1 ? '@modelcontextprotocol/sdk/client/stdio.js' : '@modelcontextprotocol/client/stdio')

const client = new Client({ name: 'test', version: '1' }, which === 'v2' ? { versionNegotiation: { mode: 'auto' } } : {})
const faults = []
client.onerror = e => faults.push(e)
const transport = new StdioClientTransport({ command, args, env: process.env })
const timeout = 60_000 // of a request, in ms
await client.connect(transport, { timeout })
const server = transport.pid

// call calls a tool; the clients check structured results against the tool's schema themselves.
const call = (name, a, options = {}) => {
  const rest = [{ name, arguments: a }, { timeout, ...options }]
  if (v1) rest.splice(1, 0, undefined)
  return client.callTool(...rest)
}
const bash = (text, options, more = {}) => call('bash', { command: text, ...more }, options)

assert.equal(client.getServerVersion().name, 'pi')
assert.deepEqual(Object.keys(client.getServerCapabilities()).sort(), ['resources', 'tools'])
if (!v1) assert.equal(client.getNegotiatedProtocolVersion(), which === 'v2' ? '2026-07-28' : '2025-11-25')
if (which !== 'v2') await client.ping()

const { tools } = await client.listTools()
assert.deepEqual(tools.map(t => t.name), ['bash', 'bash_session'])
assert.equal(tools[0].annotations.destructiveHint, true)
assert.equal(tools[0].outputSchema.type, 'object')

// A result, structured and as text.
const ok = await bash('printf "%s\\n" "grüße ☃"; echo err >&2')
assert.deepEqual(ok.content, [{ type: 'text', text: 'grüße ☃\nerr\n' }])
assert.equal(ok.isError, false)
assert.equal(ok.structuredContent.details.exitCode, 0)

// Failures are results.
const failed = await bash('exit 4')
assert.equal(failed.isError, true)
assert.equal(failed.structuredContent.details.exitCode, 4)
const wrong = await call('bash', { command: 'true', timeout: 'soon' })
assert.equal(wrong.isError, true)
assert.match(wrong.content[0].text, /timeout/)
await assert.rejects(call('python', {}), e => e.code === -32602)

// Progress, then the end of the command's whole tree when the call is given up.
const dir = mkdtempSync(join(tmpdir(), 'pi-mcp-'))
const seen = []
const stop = new AbortController()
await assert.rejects(bash(`sleep 1000 & echo $! > ${dir}/pid; while :; do echo tick; sleep 0.05; done`, {
  signal: stop.signal,
  onprogress: p => { if (seen.push(p) === 3) stop.abort('enough') },
}))
for (let i = 1; i < seen.length; i++) assert.ok(seen[i].progress > seen[i - 1].progress)
assert.match(seen.at(-1).message, /lines?: tick|no output yet/)
const pid = Number(readFileSync(`${dir}/pid`, 'utf8'))
const alive = p => { try { return process.kill(p, 0) } catch { return false } }
const gone = async p => { for (let i = 0; alive(p); i++) { assert.ok(i < 3000, `process ${p} is still there`); await new Promise(r => setTimeout(r, 10)) } }
await gone(pid)

// Calls at the same time.
const many = await Promise.all([...Array(8).keys()].map(i => bash(`sleep 0.${8 - i}; echo ${i}`)))
assert.deepEqual(many.map(r => r.content[0].text), [...Array(8).keys()].map(i => `${i}\n`))

// What was left out is a resource.
const { meta } = (await bash('seq 100000')).structuredContent.details
assert.equal(meta.truncation.totalLines, 100000)
const uri = `artifact://${meta.truncation.artifactId}`
assert.equal((await client.readResource({ uri: `${uri}?lines=10-12` })).contents[0].text, '10\n11\n12\n')
assert.ok((await client.listResources()).resources.some(r => r.uri === uri && r.size === 588895))
assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1)
await assert.rejects(client.readResource({ uri: 'artifact://999999' }), e => e.code === (v1 ? -32002 : -32602)) // the newer client knows both codes as the newer

// Sessions.
await bash('cd /usr; X=1', {}, { session: 's' })
assert.equal((await bash('echo $X; pwd', {}, { session: 's' })).content[0].text, '1\n/usr\n')
const list = await call('bash_session', { action: 'list' })
assert.equal(list.structuredContent.sessions[0].name, 's')
await call('bash_session', { action: 'stop', session: 's' })
assert.deepEqual((await call('bash_session', { action: 'list' })).structuredContent.sessions, [])

await client.close()
await gone(server)
assert.deepEqual(faults, [])
console.log('fine')
