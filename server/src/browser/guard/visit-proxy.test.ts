import { createServer } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openVisitProxy, type VisitProxy } from './visit-proxy.ts'
import { VisitRules } from './visit-rules.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function openProxy(mode: 'test' | 'live', found: string[] = []) {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.end('reached')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const names = { 'shop.test': `127.0.0.1:${port}`, 'odd.test': '10.0.0.1:443' }
  const sandboxNames = { addresses: names, certificate: '' }
  const proxy = await openVisitProxy({ mode, sandboxNames, resolve: () => Promise.resolve(found) })
  const rules = new VisitRules({ site: 'https://shop.test', moreHosts: [] }, new Map())
  opened.push(proxy, { close: () => server.closeAllConnections() }, server)
  return { proxy, rules, port, heard, way: proxy.admit(rules) }
}

/** What the proxy says to a first line, and what comes after it where it opens the way. */
function ask(
  proxy: VisitProxy,
  line: string,
  credentials: { username: string; password: string } | null,
): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(proxy.url)
    const socket = connect(Number(port), hostname)
    const auth =
      credentials === null
        ? ''
        : `Proxy-Authorization: Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}\r\n`
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${auth}\r\n`)
    let said = ''
    socket.on('data', (chunk: Buffer) => {
      if (said === '' && chunk.toString().startsWith('HTTP/1.1 200 Connection'))
        socket.write('GET /asked HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n')
      said += chunk.toString()
    })
    socket.on('error', () => undefined)
    socket.once('close', () => resolve(said))
  })
}

const status = (said: string) => Number(said.split(' ')[1])

test('a name of the sandbox leads to its address in test mode, and is noted as contacted', async () => {
  const { proxy, rules, heard, way } = await openProxy('test')
  expect(await ask(proxy, 'CONNECT shop.test:443', way)).toContain('reached')
  expect([heard, rules.contacted()]).toEqual([['/asked'], ['shop.test']])
})

test.each([
  '127.0.0.1:443',
  'localhost:443',
  '[::1]:443',
  'shop.test:80',
  'other.test:443',
  'odd.test:443',
  'example.com:443',
  '169.254.169.254:443',
  '0x7f000001:443',
])('in test mode %s is refused, and noted', async (authority) => {
  const { proxy, rules, heard, way } = await openProxy('test')
  expect(status(await ask(proxy, `CONNECT ${authority}`, way))).toBe(403)
  expect([heard, rules.contacted(), rules.refusals().length]).toEqual([[], [], 1])
})

test.each([
  '127.0.0.1',
  'localhost',
  '[::1]',
  '10.1.2.3',
  '169.254.169.254',
  'shop',
  'router.lan',
  '2130706433',
])('in live mode %s is refused, and noted', async (host) => {
  const { proxy, rules, way } = await openProxy('live')
  expect(status(await ask(proxy, `CONNECT ${host}:443`, way))).toBe(403)
  expect(rules.refusals()).toHaveLength(1)
})

test.each([['127.0.0.1'], ['10.0.0.8'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1'], ['fd00::1']])(
  'in live mode a name that leads to %s is refused, and noted',
  async (address) => {
    const { proxy, rules, way } = await openProxy('live', [address])
    expect(status(await ask(proxy, 'CONNECT rebound.example:443', way))).toBe(403)
    expect(rules.refusals()).toEqual(['connection to rebound.example'])
  },
)

test('the port of this machine itself is no way in, even by the very address of a name', async () => {
  const { proxy, port, heard, way } = await openProxy('test')
  expect(status(await ask(proxy, `CONNECT 127.0.0.1:${port}`, way))).toBe(403)
  expect(heard).toEqual([])
})

test('without the secret of a visit, with another or after its end, nothing is reached', async () => {
  const { proxy, heard, way } = await openProxy('test')
  expect(status(await ask(proxy, 'CONNECT shop.test:443', null))).toBe(407)
  expect(
    status(await ask(proxy, 'CONNECT shop.test:443', { ...way, password: 'x'.repeat(way.password.length) })),
  ).toBe(407)
  way.close()
  expect(status(await ask(proxy, 'CONNECT shop.test:443', way))).toBe(407)
  expect(heard).toEqual([])
})

test('anything but CONNECT is refused', async () => {
  const { proxy, port, heard, way } = await openProxy('test')
  expect(status(await ask(proxy, `GET http://127.0.0.1:${port}/`, way))).toBe(405)
  expect(heard).toEqual([])
})
