import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/harness/app.ts'

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
    const patience = new Promise((resolve) => setTimeout(resolve, 5_000, 'held by the connection').unref())
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
