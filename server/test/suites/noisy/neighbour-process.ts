import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type Identity, selfSigned } from '../../../src/platform/egress/self-signed.testing.ts'
import { startHostileDns } from '../egress/hostile-dns.ts'
import { makeNoise } from './noises.ts'
import { cannonHost, type Order, type Told } from './wire.ts'

// The neighbor is a process of its own, so that its work takes nothing from the process that measures but time of the machine.

let hangs = false
let posts = 0

async function open(): Promise<Told> {
  const answers = await listen((end) => end(200))
  const hanging = await listen((end) => (hangs ? undefined : end(200)))
  const identity = selfSigned(cannonHost)
  const cannon = await listen((end) => {
    posts += 1
    end(500)
  }, identity)
  const names = await startHostileDns({ [cannonHost]: { a: [['127.0.0.1']] } })
  const ports = { answers, hangs: hanging, cannon, names: Number(names.server.split(':')[1]) }
  return { ports, certificate: identity.cert }
}

/** An endpoint that takes a request, and then answers or does not. */
async function listen(reply: (end: (status: number) => void) => void, identity?: Identity): Promise<number> {
  const hear: RequestListener = (request, response) => {
    response.on('error', () => undefined)
    request.resume()
    request.once('end', () => reply((status) => void response.writeHead(status).end()))
  }
  const server = identity ? createTlsServer(identity, hear) : createServer(hear)
  server.on('connection', (socket: Socket) => socket.on('error', () => undefined))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // it listens on a port
}

async function obey(order: Order): Promise<Told> {
  switch (order.do) {
    case 'open':
      return open()
    case 'hang':
      hangs = true
      return {}
    case 'noise':
      return { report: await makeNoise(order.noise, order.neighbour, Number(new URL(cannonUrl).port)) }
    case 'count':
      return { posts }
    default:
      return order satisfies never
  }
}

let cannonUrl = 'http://127.0.0.1:1'
process.on('message', async ({ id, order }: { id: number; order: Order }) => {
  const told = await obey(order)
  if (told.ports) cannonUrl = `http://127.0.0.1:${told.ports.cannon}`
  process.send?.({ id, told })
})
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
