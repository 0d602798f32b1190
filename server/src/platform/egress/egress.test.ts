import { once } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import {
  egressWith,
  faultOf,
  get,
  listen,
  noNames,
  serve,
  serveTls,
  stopAll,
} from './local-servers.testing.ts'

afterEach(stopAll)

test('a request arrives as given, and the answer comes back whole', async () => {
  const server = await serve((request, response) => {
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (text: string) => {
      body += text
    })
    request.on('end', () =>
      response.writeHead(202, { 'X-Answer': '42' }).end(`${request.method} ${request.url} ${body}`),
    )
  })
  const answer = await egressWith().request(
    get(`${server.origin}/hooks?a=1#fragment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-signature': 't=1' },
      body: Buffer.from('{"ü":1}'),
    }),
  )
  expect(answer.status).toBe(202)
  expect(answer.headers['x-answer']).toBe('42')
  expect(answer.body.toString()).toBe('POST /hooks?a=1 {"ü":1}')
  expect(server.requests[0]?.headers).toMatchObject({
    host: `127.0.0.1:${server.port}`,
    'content-type': 'application/json',
    'content-length': '8',
    'service-signature': 't=1',
    'accept-encoding': 'identity',
  })
})

test('a lane never has more connections than calls it may have under way, and uses them again', async () => {
  const server = await serve((_request, response) => response.end('ok'))
  const egress = egressWith({ concurrencyPerLane: 1 })
  for (let call = 0; call < 5; call += 1) await egress.request(get(server.origin))
  expect([server.connections, server.requests.length]).toEqual([1, 5])
})

test.each([301, 302, 303, 307, 308])('a %i is an answer and is never followed', async (status) => {
  const canary = await serve((_request, response) => response.end())
  const server = await serve((_request, response) =>
    response.writeHead(status, { location: canary.origin }).end(),
  )
  const answer = await egressWith().request(get(server.origin))
  expect(answer.status).toBe(status)
  expect(canary.connections).toBe(0)
})

test('no spelling of an address on this machine or network reaches a listener', async () => {
  const canary = await listen(createTcpServer(), '::')
  const egress = egressWith({ lookup: noNames })
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::127.0.0.1]',
    '[2002:7f00:1::]',
    'localhost',
    'LOCALHOST.',
    'canary.localhost',
  ]
  for (const host of hosts) {
    const fault = await faultOf(egress.request(get(`https://${host}:${canary.port}/`, { mode: 'live' })))
    expect({ host, ...fault }).toEqual({ host, stage: 'before', code: 'blocked_address', retryable: false })
  }
  expect(canary.connections).toBe(0)
})

test.each([
  [['127.0.0.1']],
  [['::1']],
  [['::ffff:127.0.0.1']],
  [['64:ff9b::7f00:1']],
  [['0.0.0.0']],
  [['10.0.0.1']],
  [['169.254.169.254']],
  [['8.8.8.8', '127.0.0.1']],
  [['2606:4700:4700::1111', '::1']],
  [['127.0.0.1', '8.8.8.8']],
  [['not an address']],
])('a public name that resolves to %j is not connected to', async (addresses) => {
  const canary = await listen(createTcpServer(), '::')
  const egress = egressWith({ lookup: async () => addresses })
  const fault = await faultOf(egress.request(get(`https://shop.example:${canary.port}/`, { mode: 'live' })))
  expect(fault).toEqual({ stage: 'before', code: 'blocked_address', retryable: false })
  expect(canary.connections).toBe(0)
})

test.each(['10.0.0.1', '::ffff:127.0.0.1', '169.254.169.254', '0.0.0.0'])(
  'open loopback opens nothing else: a name that resolves to %s is not connected to',
  async (address) => {
    const canary = await listen(createTcpServer(), '::')
    const egress = egressWith({ lookup: async () => [address] })
    const fault = await faultOf(egress.request(get(`https://shop.example:${canary.port}/`)))
    expect(fault).toEqual({ stage: 'before', code: 'blocked_address', retryable: false })
    expect(canary.connections).toBe(0)
  },
)

test('a name is resolved once for a connection, so a second answer cannot redirect it', async () => {
  const server = await serveTls('rebind.example', (_request, response) => response.end('honest'))
  const canary = createTcpServer()
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  let lookups = 0
  const egress = egressWith({
    concurrencyPerLane: 1,
    ca: server.ca,
    lookup: async () => {
      lookups += 1
      return answers.shift() ?? ['127.0.0.2']
    },
  })
  let canaryHits = 0
  canary.on('connection', () => {
    canaryHits += 1
  })
  canary.listen(server.port, '127.0.0.2')
  await once(canary, 'listening')
  onTestFinished(() => void canary.close())
  for (let call = 0; call < 3; call += 1) {
    const answer = await egress.request(get(`https://rebind.example:${server.port}/`))
    expect(answer.body.toString()).toBe('honest')
  }
  expect([lookups, canaryHits]).toEqual([1, 0])
})

test('a connection opened for test mode does not serve live mode', async () => {
  const server = await serveTls('shop.example', (_request, response) => response.end())
  const egress = egressWith({ lookup: async () => ['127.0.0.1'], ca: server.ca })
  await egress.request(get(`https://shop.example:${server.port}/`))
  const fault = await faultOf(egress.request(get(`https://shop.example:${server.port}/`, { mode: 'live' })))
  expect(fault).toEqual({ stage: 'before', code: 'blocked_address', retryable: false })
  expect([server.connections, server.requests.length]).toEqual([1, 1])
})

test('plain http goes to this machine alone: no other name is resolved for it, wherever it may lead', async () => {
  const server = await serve((_request, response) => response.end())
  const egress = egressWith({ lookup: noNames })
  for (const host of ['shop.example', '8.8.8.8', '10.0.0.1']) {
    const fault = await faultOf(egress.request(get(`http://${host}:${server.port}/`)))
    expect(fault).toEqual({ stage: 'before', code: 'blocked_url', retryable: false })
  }
  expect(server.connections).toBe(0)
})

test('localhost is this machine without asking anyone, where loopback is open', async () => {
  const server = await serve((_request, response) => response.end('here'))
  const egress = egressWith()
  for (const host of ['localhost', 'shop.localhost']) {
    expect((await egress.request(get(`http://${host}:${server.port}/`))).body.toString()).toBe('here')
  }
})

test.each([
  'http://shop.example/',
  'https://user:password@shop.example/',
  'gopher://shop.example/',
  'nonsense',
])('in live mode %s is refused before anything is resolved', async (url) => {
  const fault = await faultOf(egressWith({ lookup: noNames }).request(get(url, { mode: 'live' })))
  expect(fault).toEqual({ stage: 'before', code: 'blocked_url', retryable: false })
})

test('a configured peer is reached by its exact origin, and only by calls that are ours', async () => {
  const rail = await serve((_request, response) => response.end('rail'))
  const other = await serve((_request, response) => response.end())
  const egress = egressWith({ trustedOrigins: [`${rail.origin}/`], allowLoopback: () => false })
  const answer = await egress.request(get(`${rail.origin}/v1/x`, { mode: 'live', peer: true }))
  expect(answer.body.toString()).toBe('rail')
  for (const url of [other.origin, rail.origin.replace('127.0.0.1', 'localhost'), 'nonsense']) {
    const fault = await faultOf(egress.request(get(url, { mode: 'live', peer: true })))
    expect(fault).toEqual({ stage: 'before', code: 'untrusted_peer', retryable: false })
  }
  const byTenant = await faultOf(egress.request(get(rail.origin, { mode: 'live' })))
  expect(byTenant).toEqual({ stage: 'before', code: 'blocked_url', retryable: false })
  expect([rail.requests.length, other.connections]).toEqual([1, 0])
})

test('proxy settings of the environment are not obeyed', async () => {
  const proxy = await listen(createTcpServer())
  const names = [
    'http_proxy',
    'HTTP_PROXY',
    'https_proxy',
    'HTTPS_PROXY',
    'all_proxy',
    'ALL_PROXY',
    'NODE_USE_ENV_PROXY',
  ]
  const before = names.map((name) => process.env[name])
  for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.origin
  onTestFinished(() => {
    for (const [index, name] of names.entries()) {
      const value = before[index]
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  const server = await serve((_request, response) => response.end('direct'))
  expect((await egressWith().request(get(server.origin))).body.toString()).toBe('direct')
  expect(proxy.connections).toBe(0)
})

test.each(['host', 'Host', 'connection', 'Content-Length', 'transfer-encoding', 'expect', 'upgrade'])(
  'the header %s is not for callers to set',
  async (name) => {
    const server = await serve((_request, response) => response.end())
    const fault = await faultOf(egressWith().request(get(server.origin, { headers: { [name]: '1' } })))
    expect(fault).toEqual({ stage: 'before', code: 'invalid_request', retryable: false })
    expect(server.connections).toBe(0)
  },
)

test('a line break in a header value sends nothing', async () => {
  const server = await serve((_request, response) => response.end())
  const fault = await faultOf(egressWith().request(get(server.origin, { headers: { 'x-a': 'b\r\nx-c: d' } })))
  expect(fault).toEqual({ stage: 'before', code: 'invalid_request', retryable: false })
  expect(server.requests).toHaveLength(0)
})

test('a port of ours is out of reach for what tenants name, under every name of this machine', async () => {
  const own = await serve((_request, response) => response.end('ours'))
  const other = await serve((_request, response) => response.end('theirs'))
  const egress = egressWith({ ownPorts: [own.port], lookup: async () => ['127.0.0.1'] })
  for (const host of ['http://127.0.0.1', 'http://localhost', 'https://rebind.example', 'http://127.0.0.2']) {
    const refused = await faultOf(egress.request(get(`${host}:${own.port}/`)))
    expect(refused).toMatchObject({ stage: 'before', code: 'blocked_address' })
  }
  expect(own.connections).toBe(0)
  expect((await egress.request(get(other.origin))).status).toBe(200)
})

test('of the sandbox merchants, whose port is ours, only the webhooks can be reached', async () => {
  const merchant = await serve((_request, response) => response.end('ok'))
  const egress = egressWith({ ownPorts: [merchant.port], sandboxMerchantUrl: merchant.origin })
  for (const path of ['/webhooks', '/m/lamp-shop/webhooks'])
    expect((await egress.request(get(`${merchant.origin}${path}`))).status).toBe(200)
  for (const path of [
    '/control/settings',
    '/m/x/control/destinations',
    '/log',
    '/webhooks/',
    '/webhooks?a=1',
    '/m/a/b/webhooks',
  ]) {
    const refused = await faultOf(egress.request(get(`${merchant.origin}${path}`)))
    expect(refused, path).toMatchObject({ stage: 'before', code: 'blocked_address' })
  }
  // Its other names are not told apart from those of somebody who found one.
  const named = await faultOf(egress.request(get(`http://localhost:${merchant.port}/webhooks`)))
  expect(named).toMatchObject({ code: 'blocked_address' })
  expect(merchant.requests.map(({ url }) => url)).toEqual(['/webhooks', '/m/lamp-shop/webhooks'])
})
