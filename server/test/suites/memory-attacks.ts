import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { patience, patientMs } from '../gate/pace.ts'
import { type TestApp, testKeys } from '../harness/app.ts'
import { mainProgram } from '../harness/built-program.ts'
import { person } from '../harness/person.ts'
import type { SuiteRun } from './suite.ts'

/** Attacks by many connections that only want to fill our memory. */
type Attack = {
  name: string
  /** In the gate. The long run has ten times as many. */
  connections: number
  bytes: (app: TestApp) => string
  /** How often each connection sends it. */
  times?: number
}

const MiB = 1024 * 1024
/** The growth that one attack may cause. A process that kept all it is sent would grow by a multiple of this. */
const grownMax = 64 * MiB
/** The growth that may remain after all attacks. Most of it is what any process of ours keeps after its first thousands of requests. */
const leftMax = 160 * MiB
const bodyBytes = 256 * 1024

const attacks: readonly Attack[] = [
  { name: 'unread scalar.js', connections: 300, bytes: () => get('/docs/js/scalar.js') },
  { name: 'unread manifests', connections: 300, bytes: () => get('/mcp/v1/manifest.json'), times: 4 },
  { name: 'unread documents', connections: 300, bytes: () => get('/openapi.json'), times: 4 },
  { name: 'unfinished bodies without a key', connections: 500, bytes: () => unfinished('/v1/profiles') },
  { name: 'unfinished tool calls without a key', connections: 500, bytes: () => unfinished('/mcp/v1') },
  {
    name: 'unfinished small tool calls without a key',
    connections: 1500,
    bytes: () => unfinished('/mcp/v1', [], 64 * 1024),
  },
  {
    name: 'unfinished answers without a signature',
    connections: 1500,
    bytes: () => unfinished(`/v1/merchant/quotes/quo_${'0'.repeat(26)}/responses`, [], 64 * 1024),
  },
  {
    name: 'unfinished bodies with an unknown key',
    connections: 500,
    bytes: () => unfinished('/v1/profiles', [`Authorization: Bearer pr_sk_test_${'x'.repeat(32)}`]),
  },
  {
    name: 'unfinished bodies with a key',
    connections: 500,
    bytes: ({ account }) => unfinished('/v1/profiles', [`Authorization: Bearer ${account.keys.secret_test}`]),
  },
  {
    name: 'unfinished bodies at no operation',
    connections: 500,
    bytes: () => unfinished('/v1/nothing'),
  },
  {
    name: 'unfinished forms',
    connections: 1500,
    bytes: () =>
      unfinished('/onboarding/session', [], 64 * 1024).replace(
        'application/json',
        'application/x-www-form-urlencoded',
      ),
  },
  { name: 'idle connections', connections: 1500, bytes: () => '' },
  {
    name: 'headers of 64 KiB',
    connections: 300,
    bytes: () => `GET /v1/profiles HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(64 * 1024)}`,
  },
  {
    name: 'unfinished headers',
    connections: 1500,
    bytes: () => `GET /v1/profiles HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(15_000)}`,
  },
]

const firstMass: Attack = {
  name: 'a first mass of bodies',
  connections: 150,
  bytes: () => unfinished('/v1/profiles'),
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
}

/** All of a body but its last byte. */
function unfinished(path: string, lines: readonly string[] = [], bytes = bodyBytes): string {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
    ...lines,
  ]
  return `${head.join('\r\n')}\r\n\r\n${'x'.repeat(bytes - 1)}`
}

/**
 * An API process of its own. Its memory is read from outside while connections fill it, and it answers another client
 * meanwhile. The heap alone shows little, since buffers of sockets and bodies are outside it.
 */
export async function attackMemory(app: TestApp, { size, only, tally }: SuiteRun): Promise<void> {
  if (!existsSync('/proc/self/status')) return tally.skip('the memory of a process is read from /proc')
  const api = await startApi(app.databaseUrl)
  try {
    const neighbour = () => readBeside(api.url, app.stranger.keys.secret_test)
    // Objects that are made once exist by now.
    for (const path of ['/docs', '/docs/js/scalar.js', '/openapi.json', '/mcp/v1/manifest.json'])
      await (await fetch(`${api.url}${path}`)).arrayBuffer()
    await neighbour()
    const before = rssOf(api.pid)
    // Memory that any process keeps after its first many bodies is judged with all remaining growth, not as growth by the first attack.
    await suffer({ app, api, attack: firstMass, size: 'gate', neighbour })
    for (const attack of attacks) {
      if (only !== null && !attack.name.includes(only)) continue
      const { grown, slowestMs, fault } = await suffer({ app, api, attack, size, neighbour })
      tally.figure(`${attack.name}, MiB`, Math.round(grown / MiB))
      tally.figure(`${attack.name}, slowest read beside it, ms`, Math.round(slowestMs))
      if (fault !== null) tally.fail(`${attack.name}: ${fault}`)
      else if (grown > grownMax)
        tally.fail(`${attack.name}: the process grew by ${Math.round(grown / MiB)} MiB`)
      else tally.pass()
    }
    const left = rssOf(api.pid) - before
    tally.figure('left of all of it, MiB', Math.round(left / MiB))
    if (left <= leftMax) tally.pass()
    else tally.fail(`memory: ${Math.round(left / MiB)} MiB more than before are left`)
  } finally {
    api.child.kill('SIGKILL')
  }
}

type Api = { child: ChildProcess; pid: number; url: string }

async function startApi(databaseUrl: string): Promise<Api> {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [mainProgram, 'api', '--parent-pipe', '--port', '0'], {
    env: { PATH, HOME, DATABASE_URL: databaseUrl, PROKURA_KEYS: testKeys, PROKURA_LOG_LEVEL: 'error' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { base_url: url, pid } = JSON.parse(String(line))
  return { child, pid, url }
}

type Suffering = {
  app: TestApp
  api: Api
  attack: Attack
  size: SuiteRun['size']
  neighbour: () => Promise<number>
}

type Suffered = { most: number; slowestMs: number; fault: string | null }

async function suffer({ app, api, attack, size, neighbour }: Suffering) {
  const before = rssOf(api.pid)
  const seen: Suffered = { most: before, slowestMs: 0, fault: null }
  async function look(): Promise<void> {
    const begun = performance.now()
    const status = await neighbour().catch(String)
    seen.slowestMs = Math.max(seen.slowestMs, performance.now() - begun)
    if (status !== 200) seen.fault = `somebody else's read answered ${status}`
    if (seen.slowestMs > patientMs(5000))
      seen.fault = `somebody else's read took ${Math.round(seen.slowestMs)} ms`
    seen.most = Math.max(seen.most, rssOf(api.pid))
  }

  const sockets: Socket[] = []
  const bytes = attack.bytes(app)
  const count = attack.connections * (size === 'long' ? 10 : 1)
  for (let opened = 0; opened < count; opened += 50) {
    for (let n = 0; n < 50; n++) sockets.push(press(api.url, opened + n, bytes, attack.times ?? 1))
    await look()
  }
  // Until it has stopped growing.
  const wait = patience(20_000)
  for (let quiet = 0; quiet < 5 && !wait.isOver(); quiet++) {
    const known = seen.most
    await new Promise((resolve) => setTimeout(resolve, 200))
    await look()
    if (seen.most > known + MiB) quiet = 0
  }
  for (const socket of sockets) socket.destroy()
  return { grown: seen.most - before, slowestMs: seen.slowestMs, fault: seen.fault }
}

/** From four addresses, without reading any answer. */
function press(url: string, nth: number, bytes: string, times: number): Socket {
  const { port } = new URL(url)
  const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress: `127.0.1.${1 + (nth % 4)}` })
  socket.on('error', () => undefined)
  socket.pause()
  for (let said = 0; said < times; said++) socket.write(bytes)
  return socket
}

/** A read, and a body that comes in several pieces. */
async function readBeside(url: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const read = await fetch(`${url}/v1/profiles`, { headers })
  await read.arrayBuffer()
  if (read.status !== 200) return read.status
  const body = JSON.stringify({ ...person, metadata: { large: 'x'.repeat(150 * 1024) } })
  const written = await fetch(`${url}/v1/profiles`, { method: 'POST', headers, body })
  await written.arrayBuffer()
  // Longer than metadata may be: read whole, and then refused for what it says.
  return written.status === 422 ? 200 : written.status
}

function rssOf(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
