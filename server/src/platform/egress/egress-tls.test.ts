import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createEgress, type Egress, type EgressOptions } from './egress.ts'
import { EgressFault } from './fault.ts'
import { type Identity, selfSigned } from './self-signed.testing.ts'

const stoppers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stoppers.splice(0)) await stop()
})

const lookup = async () => ['127.0.0.1']

test('a trusted certificate for the name is accepted, and the server gets the name', async () => {
  const identity = selfSigned('shop.example')
  const { port, serverNames, requests } = await serveTls(identity)
  const answer = await call(egressWith({ ca: [identity.cert] }), `https://shop.example:${port}/`)
  expect(answer).toBe('secure')
  expect([serverNames, requests()]).toEqual([['shop.example'], 1])
})

test('an untrusted certificate is a fault before sending', async () => {
  const { port, requests } = await serveTls(selfSigned('shop.example'))
  expect(await call(egressWith({}), `https://shop.example:${port}/`)).toEqual(tlsFault)
  expect(requests()).toBe(0)
})

test('a certificate for another name is a fault before sending', async () => {
  const identity = selfSigned('other.example')
  const { port, requests } = await serveTls(identity)
  expect(await call(egressWith({ ca: [identity.cert] }), `https://shop.example:${port}/`)).toEqual(tlsFault)
  expect(requests()).toBe(0)
})

test('an expired certificate is a fault before sending', async () => {
  const identity = selfSigned('shop.example', '200101000000Z', '210101000000Z')
  const { port, requests } = await serveTls(identity)
  expect(await call(egressWith({ ca: [identity.cert] }), `https://shop.example:${port}/`)).toEqual(tlsFault)
  expect(requests()).toBe(0)
})

test('the environment cannot switch verification off', async () => {
  const { port, requests } = await serveTls(selfSigned('shop.example'))
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    expect(await call(egressWith({}), `https://shop.example:${port}/`)).toEqual(tlsFault)
  } finally {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  }
  expect(requests()).toBe(0)
})

test('a server that speaks no TLS is a fault before sending', async () => {
  let requests = 0
  const server = createHttpServer(() => {
    requests += 1
  })
  const port = await listen(server)
  expect(await call(egressWith({}), `https://shop.example:${port}/`)).toEqual(tlsFault)
  expect(requests).toBe(0)
})

const tlsFault = { stage: 'before', code: 'tls', retryable: true }

function egressWith(options: Partial<EgressOptions>): Egress {
  const egress = createEgress({ allowLoopback: () => true, trustedOrigins: [], lookup, ...options })
  stoppers.push(() => egress.close())
  return egress
}

async function call(egress: Egress, url: string): Promise<unknown> {
  try {
    const answer = await egress.request({
      url,
      method: 'POST',
      headers: {},
      body: 'x',
      mode: 'test',
      timeoutMs: 5_000,
      maxResponseBytes: 100,
    })
    return answer.body.toString()
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    return { stage: error.stage, code: error.code, retryable: error.retryable }
  }
}

async function serveTls(identity: Identity) {
  const serverNames: unknown[] = []
  let requests = 0
  const server = createServer(identity, (request, response) => {
    requests += 1
    if ('servername' in request.socket) serverNames.push(request.socket.servername)
    response.end('secure')
  })
  return { port: await listen(server), serverNames, requests: () => requests }
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stoppers.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return (address satisfies AddressInfo).port
}
