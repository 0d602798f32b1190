import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { patientMs } from '../../../test/gate/pace.ts'
import {
  bytesWrittenUntilClose,
  egressWith,
  faultOf,
  get,
  listen,
  portOf,
  pour,
  serve,
  stopAll,
} from './local-servers.testing.ts'
import { selfSigned } from './self-signed.testing.ts'

afterEach(stopAll)

test('a name that does not resolve, or resolves to nothing, is a retryable fault before sending', async () => {
  const failing = egressWith({
    lookup: async () => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'queryA' })
    },
  })
  const empty = egressWith({ lookup: async () => [] })
  for (const egress of [failing, empty]) {
    const fault = await faultOf(egress.request(get('https://shop.example/', { mode: 'live' })))
    expect(fault).toEqual({ stage: 'before', code: 'dns', retryable: true })
  }
})

test('a name whose servers never answer ends at the connect timeout', async () => {
  const egress = egressWith({ lookup: () => new Promise(() => {}), connectTimeoutMs: 50 })
  const fault = await faultOf(egress.request(get('https://shop.example/', { mode: 'live' })))
  expect(fault).toEqual({ stage: 'before', code: 'timeout', retryable: true })
})

test('a refused connection is a retryable fault before sending', async () => {
  const server = createTcpServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  for (const host of ['127.0.0.1', 'localhost']) {
    const fault = await faultOf(egressWith().request(get(`http://${host}:${port}/`)))
    expect(fault).toEqual({ stage: 'before', code: 'connect', retryable: true })
  }
})

test('a request given up while connecting is not sent when the connection comes up later', async () => {
  const identity = selfSigned('shop.example')
  const listener = createTlsServer(identity, (_request, response) => response.end())
  const server = await listen(listener)
  const resolved = Promise.withResolvers<string[]>()
  const egress = egressWith({ lookup: () => resolved.promise, ca: [identity.cert] })
  const fault = await faultOf(egress.request(get(`https://shop.example:${server.port}/`, { timeoutMs: 20 })))
  expect(fault).toEqual({ stage: 'before', code: 'timeout', retryable: true })
  const connected = once(listener, 'connection')
  resolved.resolve(['127.0.0.1'])
  const [socket] = await connected
  await once(socket, 'close')
  expect(server.requests).toHaveLength(0)
})

test('an endpoint that never answers ends at the deadline with an unknown outcome', async () => {
  const server = await serve(() => {})
  const startedAt = performance.now()
  const fault = await faultOf(egressWith().request(get(server.origin, { timeoutMs: 100 })))
  expect(fault).toEqual({ stage: 'during', code: 'timeout', retryable: false })
  expect(performance.now() - startedAt).toBeLessThan(patientMs(2_000))
  expect(server.requests).toHaveLength(1)
})

test('a hanging endpoint holds no more than its lane: others, also on its own origin, are served meanwhile', async () => {
  const hanging = await serve((request, response) => {
    if (request.url === '/healthy') response.end('ok')
  })
  const healthy = await serve((_request, response) => response.end('ok'))
  const egress = egressWith({ concurrencyPerLane: 2 })
  const stuck = Array.from({ length: 10 }, (_, index) => {
    const timeoutMs = index < 2 ? 1_500 : 1_000
    return faultOf(egress.request(get(`${hanging.origin}/hang`, { timeoutMs, lane: 'dest_a' })))
  })
  for (let call = 0; call < 5; call += 1) {
    await egress.request(get(healthy.origin, { timeoutMs: 900 }))
    await egress.request(get(`${hanging.origin}/healthy`, { timeoutMs: 900, lane: 'dest_b' }))
  }
  const faults = await Promise.all(stuck)
  expect(faults.filter((fault) => fault.stage === 'during')).toHaveLength(2)
  expect(faults.filter((fault) => fault.stage === 'before' && fault.code === 'timeout')).toHaveLength(8)
  expect(hanging.requests.filter((request) => request.url === '/hang')).toHaveLength(2)
  // The lane is free again once the stuck calls are over.
  await egress.request(get(`${hanging.origin}/healthy`, { lane: 'dest_a' }))
})

test('a gigabyte that is announced is not read', async () => {
  const gigabyte = 1_073_741_824
  const listener = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': gigabyte })
    pour(response)
  })
  const server = await listen(listener)
  const written = bytesWrittenUntilClose(listener)
  const fault = await faultOf(egressWith().request(get(server.origin)))
  expect(fault).toEqual({ stage: 'after', code: 'too_large', retryable: false, status: 200 })
  expect(await written).toBeLessThan(gigabyte / 20)
})

test('an announced length beyond the limit is a fault before the first byte of it', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': 1_001 })
    response.flushHeaders()
  })
  const fault = await faultOf(egressWith().request(get(server.origin)))
  expect(fault).toEqual({ stage: 'after', code: 'too_large', retryable: false, status: 200 })
})

test('a gigabyte that is not announced is read up to the limit and no further', async () => {
  const listener = createServer((_request, response) => {
    response.writeHead(200)
    pour(response)
  })
  const server = await listen(listener)
  const written = bytesWrittenUntilClose(listener)
  const fault = await faultOf(egressWith().request(get(server.origin, { maxResponseBytes: 100_000 })))
  expect(fault).toEqual({ stage: 'after', code: 'too_large', retryable: false, status: 200 })
  expect(await written).toBeLessThan(50_000_000)
})

test('a body of exactly the limit is fine and one byte more is not', async () => {
  const server = await serve((request, response) => response.end('x'.repeat(Number(request.url?.slice(1)))))
  const egress = egressWith()
  const answer = await egress.request(get(`${server.origin}/1000`))
  expect(answer.body).toHaveLength(1_000)
  expect(await faultOf(egress.request(get(`${server.origin}/1001`)))).toMatchObject({ code: 'too_large' })
})

test('the length that a HEAD answer announces is no body', async () => {
  const server = await serve((_request, response) =>
    response.writeHead(200, { 'content-length': 5_000_000 }).end(),
  )
  const answer = await egressWith().request(get(server.origin, { method: 'HEAD' }))
  expect([answer.status, answer.body.length]).toEqual([200, 0])
})

test('headers without end are refused', async () => {
  const server = await listen(
    createTcpServer((socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx-a: ${'y'.repeat(200_000)}\r\n\r\n`))
    }),
  )
  const fault = await faultOf(egressWith().request(get(server.origin)))
  expect(fault).toEqual({ stage: 'during', code: 'too_large', retryable: false })
})

test('a body that trickles past the deadline ends there, however lively', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 10)
    response.on('close', () => clearInterval(timer))
  })
  const startedAt = performance.now()
  const fault = await faultOf(egressWith().request(get(server.origin, { timeoutMs: 200 })))
  expect(fault).toEqual({ stage: 'after', code: 'timeout', retryable: false, status: 200 })
  expect(performance.now() - startedAt).toBeLessThan(patientMs(2_000))
})

test('headers that trickle past the deadline leave the outcome unknown', async () => {
  const server = await listen(
    createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const timer = setInterval(() => socket.write('x-a: b\r\n'), 10)
        socket.on('close', () => clearInterval(timer))
      })
    }),
  )
  const fault = await faultOf(egressWith().request(get(server.origin, { timeoutMs: 200 })))
  expect(fault).toEqual({ stage: 'during', code: 'timeout', retryable: false })
})

test('a connection reset before the answer leaves the outcome unknown', async () => {
  const server = await serve((request) => request.socket.resetAndDestroy())
  const fault = await faultOf(egressWith().request(get(server.origin, { method: 'POST', body: 'x' })))
  expect(fault).toEqual({ stage: 'during', code: 'reset', retryable: false })
  expect(server.requests).toHaveLength(1)
})

test.each([
  ['content-length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
  ['chunked', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhalf'],
])(
  'a connection that ends or is reset in a %s body yields the status and no half body',
  async (_framing, head) => {
    for (const finish of ['end', 'reset'] as const) {
      const server = await listen(
        createTcpServer((socket) => {
          socket.once('data', () => {
            if (finish === 'end') socket.end(head)
            else socket.write(head, () => setImmediate(() => setImmediate(() => socket.resetAndDestroy())))
          })
        }),
      )
      const fault = await faultOf(egressWith().request(get(server.origin)))
      expect(fault).toMatchObject({ code: 'reset', retryable: false })
      // A reset may overtake the bytes before it.
      if (finish === 'end') expect(fault).toMatchObject({ stage: 'after', status: 200 })
    }
  },
)

test.each([
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  [
    'length and chunks',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
])('an answer that is %s leaves the outcome unknown', async (_what, bytes) => {
  const server = await listen(
    createTcpServer((socket) => void socket.once('data', () => socket.write(bytes))),
  )
  const fault = await faultOf(egressWith().request(get(server.origin)))
  expect(fault).toEqual({ stage: 'during', code: 'protocol', retryable: false })
})

test('interim answers are passed over, and an unasked protocol switch is a fault', async () => {
  const patient = await serve((_request, response) => {
    response.writeProcessing()
    response.writeEarlyHints({ link: '</a>; rel=preload' })
    response.end('final')
  })
  expect((await egressWith().request(get(patient.origin))).body.toString()).toBe('final')
  const switching = await listen(
    createTcpServer((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      )
    }),
  )
  const fault = await faultOf(egressWith().request(get(switching.origin)))
  expect(fault).toEqual({ stage: 'during', code: 'reset', retryable: false })
})

test('closing ends what is under way with an unknown outcome and starts nothing more', async () => {
  const arrived = Promise.withResolvers<void>()
  const server = await serve(() => arrived.resolve())
  const egress = egressWith({ concurrencyPerLane: 1 })
  const underWay = faultOf(egress.request(get(server.origin)))
  const waiting = faultOf(egress.request(get(server.origin)))
  await arrived.promise
  await egress.close()
  expect(await underWay).toEqual({ stage: 'during', code: 'closed', retryable: false })
  expect(await waiting).toEqual({ stage: 'before', code: 'closed', retryable: true })
  expect(await faultOf(egress.request(get(server.origin)))).toEqual({
    stage: 'before',
    code: 'closed',
    retryable: true,
  })
  expect(server.requests).toHaveLength(1)
})

test('a fault does not repeat the URL, which may carry a secret', async () => {
  const server = await serve((request) => request.socket.resetAndDestroy())
  const call = egressWith().request(get(`${server.origin}/canary4711?token=canary4711`))
  await expect(call).rejects.toSatisfy((error) => !String((error as Error).stack).includes('canary4711'))
})
