import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createEgress, type Egress, type EgressOptions } from './egress.ts'
import { EgressFault } from './fault.ts'

const stoppers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stoppers.splice(0)) await stop()
})

const lookup = async () => ['127.0.0.1']

test('a trusted certificate for the name is accepted, and the name is what the server is asked for', async () => {
  const identity = selfSigned('shop.example')
  const { port, serverNames, requests } = await serveTls(identity)
  const answer = await call(egressWith({ ca: [identity.cert] }), `https://shop.example:${port}/`)
  expect(answer).toBe('secure')
  expect([serverNames, requests()]).toEqual([['shop.example'], 1])
})

test('a certificate that nobody trusts is a fault before sending', async () => {
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

type Identity = { cert: string; key: string }

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

// A minimal X.509 v3 certificate, because Node can read certificates and cannot make them.
function selfSigned(name: string, notBefore = '200101000000Z', notAfter = '490101000000Z'): Identity {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'))
  const commonName = der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(name)))
  const distinguishedName = der(0x30, der(0x31, commonName))
  const alternativeNames = der(0x30, der(0x82, Buffer.from(name)))
  const extension = der(0x30, Buffer.from('0603551d11', 'hex'), der(0x04, alternativeNames))
  const toBeSigned = der(
    0x30,
    der(0xa0, Buffer.from('020102', 'hex')),
    Buffer.from('020101', 'hex'),
    ecdsaWithSha256,
    distinguishedName,
    der(0x30, der(0x17, Buffer.from(notBefore)), der(0x17, Buffer.from(notAfter))),
    distinguishedName,
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension)),
  )
  const signature = sign('sha256', toBeSigned, pair.privateKey)
  const certificate = der(0x30, toBeSigned, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: pem(pair.privateKey),
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

function pem(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }))
}
