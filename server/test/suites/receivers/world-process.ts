import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { openSync, writeSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import Stripe from 'stripe'
import { selfSigned } from '../../../src/platform/egress/self-signed.testing.ts'
import { memberOf } from '../client.ts'
import { seededRandom } from '../random.ts'
import type { Reception } from './journal.ts'
import { type Kind, replyAs } from './kinds.ts'
import { hookPath, type Opening, type Order, type Told } from './world.ts'

type Endpoint = {
  name: string
  kind: Kind
  secrets: string[]
  server: Server | TcpServer
  sockets: Set<Socket>
  /** How often each event was received. */
  seen: Map<string, number>
}

/** Longer than a signed request may wait for its connection on a busy machine, much shorter than the wait before a retry. */
const toleranceSeconds = 60

const [journalPath = '', seed = '1'] = process.argv.slice(2)
const journal = openSync(journalPath, 'a')
// The line that the previous process was writing when it died stays a line of its own.
writeSync(journal, '\n')
const random = seededRandom(Number(seed))
const endpoints = new Map<string, Endpoint>()
const canaries: string[] = []
let hits = 0

const orders = {
  open: async (order: Order & { do: 'open' }): Promise<Told> => {
    const ports: Record<string, number> = {}
    for (const opening of order.endpoints) ports[opening.name] = await open(opening)
    return { ports }
  },
  close: async (order: Order & { do: 'close' }): Promise<Told> => {
    for (const name of order.names) await close(name)
    return {}
  },
  become: async (order: Order & { do: 'become' }): Promise<Told> => {
    for (const [name, kind] of Object.entries(order.kinds)) endpointOf(name).kind = kind
    return {}
  },
  trust: async (order: Order & { do: 'trust' }): Promise<Told> => {
    for (const [name, secrets] of Object.entries(order.secrets)) endpointOf(name).secrets = secrets
    return {}
  },
  canary: async (): Promise<Told> => ({ hits }),
}

async function open({ name, kind, port, secrets }: Opening): Promise<number> {
  const endpoint: Endpoint = {
    name,
    kind,
    secrets,
    server: createServer(),
    sockets: new Set(),
    seen: new Map(),
  }
  const listener: RequestListener = (request, response) => void receive(endpoint, request, response)
  endpoint.server =
    kind === 'tls'
      ? createTlsServer(selfSigned('shop.example'), listener)
      : createServer({ keepAliveTimeout: 60_000 }, listener)
  endpoints.set(name, endpoint)
  return listen(endpoint.server, endpoint.sockets, port)
}

async function listen(server: Server | TcpServer, sockets: Set<Socket>, port = 0): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // it listens on a port
}

async function close(name: string): Promise<void> {
  const { server, sockets } = endpointOf(name)
  for (const socket of sockets) socket.destroy()
  server.close()
  await once(server, 'close')
}

function endpointOf(name: string): Endpoint {
  const endpoint = endpoints.get(name)
  if (!endpoint) throw new Error(`no endpoint ${name}`)
  return endpoint
}

async function receive(
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.on('error', () => undefined)
  // Only a redirect to the same host that was followed leads here.
  if (request.url !== hookPath) hits += 1
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    return // cut off: nothing whole was received
  }
  const body = Buffer.concat(chunks)
  const header = (name: string) => String(request.headers[name] ?? '')
  const event = header('service-webhook-id')
  const signature = header('service-signature')
  const seen = endpoint.seen.get(event) ?? 0
  endpoint.seen.set(event, seen + 1)
  const known = endpoint.secrets
  const verified = known.flatMap((secret, index) => (isSigned(body, signature, secret) ? [index] : []))
  // An endpoint with a wrong secret must not accept the signature.
  const isTrusted = isSigned(body, signature, `${known.at(-1)}-`)
  const at = Date.now()
  const reply = replyAs(endpoint.kind, { seen, random, canaries, isTrusted })
  const reception: Reception = {
    at,
    endpoint: endpoint.name,
    kind: endpoint.kind,
    destination: header('service-destination-id'),
    event,
    type: header('service-webhook-event'),
    responseUrl: header('service-response-url') || null,
    signature,
    digest: createHash('sha256').update(body).digest('base64url'),
    body: read(body),
    verified,
    status: reply.status,
  }
  writeSync(journal, `${JSON.stringify(reception)}\n`)
  reply.send(response)
}

function isSigned(body: Buffer, header: string, secret: string): boolean {
  try {
    Stripe.webhooks.constructEvent(body, header, secret, toleranceSeconds)
    return true
  } catch {
    return false
  }
}

function read(body: Buffer): Reception['body'] {
  try {
    const envelope: unknown = JSON.parse(body.toString('utf8'))
    const data = memberOf(envelope, 'data')
    const order = memberOf(data, 'order') ?? memberOf(data, 'quote')
    return {
      id: String(memberOf(envelope, 'id')),
      order: String(memberOf(order, 'id')),
      sequence: Number(memberOf(order, 'sequence') ?? 0),
    }
  } catch {
    return null
  }
}

async function openCanaries(): Promise<void> {
  for (const path of ['/admin', '/']) {
    const server = createTcpServer((socket) => {
      hits += 1
      socket.on('error', () => undefined)
      socket.destroy()
    })
    const port = await listen(server, new Set())
    canaries.push(
      `http://127.0.0.1:${port}${path}`,
      `http://localhost:${port}${path}`,
      `http://[::ffff:127.0.0.1]:${port}${path}`,
    )
  }
  canaries.push('/elsewhere', 'https://192.0.2.1/', 'file:///etc/hostname')
}

process.on('message', async ({ id, order }: { id: number; order: Order }) => {
  // The union's member decides the function; the compiler cannot follow the pairing.
  const obey = orders[order.do] as (order: Order) => Promise<Told>
  process.send?.({ id, told: await obey(order) })
})
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
await openCanaries()
