import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { patientMs } from '../../../test/gate/pace.ts'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { drainConnections } from './drain-connections.ts'

const mcpCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'v1_list_profiles', arguments: {} },
}

test.each([
  [
    'an operation',
    '/v1/profiles',
    { first_name: 'Ada', last_name: 'L', email: 'a@example.com', country: 'US' },
  ],
  ['a tool', '/mcp/v1', mcpCall],
])(
  'a stop that begins while %s is being asked for waits for its answer, and not for the connection',
  async (_what, path, body) => {
    const app = await startTestApp()
    const asked = await askByHalves(app, path, JSON.stringify(body))
    const stopping = app.stop().then(() => 'stopped')
    asked.sendRest()
    expect(await asked.firstLine).toMatch(/^HTTP\/1\.1 20[01] /)
    // The caller keeps its side open and asks nothing more.
    const patience = setTimeout(5_000, 'held by the connection', { ref: false })
    expect(await Promise.race([stopping, patience])).toBe('stopped')
  },
)

/** Sends a request but for its last byte, so that it is under way. */
async function askByHalves(app: TestApp, path: string, body: string) {
  const { hostname, port } = new URL(app.url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${app.account.keys.secret_test}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2025-11-25',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const began = once(app.api.http.server, 'request')
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`)
  await began
  const firstLine = once(socket, 'data').then(([bytes]) => String(bytes).split('\r\n')[0])
  return { firstLine, sendRest: () => void socket.write(body.slice(-1)) }
}

test('a question on a connection that is accepted while the server stops is answered', async () => {
  const asked = Promise.withResolvers<Socket>()
  const { close, ask } = await startPlain('answered')
  setImmediate(() => {
    asked.resolve(ask())
    // When the loop turns, the server is due to look; it accepts in that turn, and reads in the next.
    const untilMs = performance.now() + 70
    while (performance.now() < untilMs);
  })
  const stopping = close()
  const [answer] = await once(await asked.promise, 'data')
  expect(String(answer)).toMatch(/answered$/)
  await stopping
})

test.each([
  ['had connected', false],
  ['had been answered', true],
])(
  'a caller who %s before the stop began, and asks half a second later, is answered',
  async (_what, asked) => {
    const { server, close, connected } = await startPlain('answered')
    const accepted = once(server, 'connection')
    const socket = connected()
    await accepted
    if (asked) {
      socket.write(question)
      await once(socket, 'data')
    }
    const stopping = close().then(() => 'stopped')
    await setTimeout(500)
    socket.write(question)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/answered$/)
    expect(await stopping).toBe('stopped')
  },
)

test('a caller who had connected and never asks holds a stop for little more than a second', async () => {
  const { server, close, connected } = await startPlain('answered')
  const accepted = once(server, 'connection')
  connected()
  await accepted
  const startedMs = performance.now()
  await close()
  expect(performance.now() - startedMs).toBeLessThan(patientMs(3_000))
})

describe('an answer that its reader takes slowly', () => {
  test('is sent to its end', async () => {
    const { socket, body, stopping } = await stopWhileUnread()
    expect(await Promise.race([stopping, setTimeout(200, 'waits')])).toBe('waits')
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
    })
    socket.resume()
    await once(socket, 'end')
    expect(bytes).toBeGreaterThan(body.length)
    expect(await stopping).toBe('stopped')
  })

  test('holds a stop for seven seconds at most', async () => {
    const startedMs = performance.now()
    const { stopping } = await stopWhileUnread()
    expect(await stopping).toBe('stopped')
    expect(performance.now() - startedMs).toBeLessThan(patientMs(7_800))
  })

  /** A server is told to stop when its answer is written and no byte of it read. */
  async function stopWhileUnread() {
    const body = 'a'.repeat(12e6)
    const { server, close, ask } = await startPlain(body)
    const began = once(server, 'request')
    const socket = ask().pause()
    socket.on('error', () => undefined)
    const [, response] = await began
    await vi.waitUntil(() => response.writableEnded)
    return { socket, body, stopping: close().then(() => 'stopped') }
  }
})

/** A server with one answer, and a way to ask for it on a connection of its own. */
async function startPlain(body: string) {
  const server = createServer((_request, response) => response.end(body))
  const { close } = drainConnections(server)
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a TCP server that listens
  const connected = () => connect(port, '127.0.0.1')
  const ask = () => {
    const socket = connected()
    socket.write(question)
    return socket
  }
  return { server, close, connected, ask }
}

const question = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
