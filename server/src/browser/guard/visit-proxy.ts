import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Mode } from '../../contract/context.ts'
import { isLoopbackAddress, isPublicAddress } from '../../platform/egress/address.ts'
import { gatedConnector } from '../../platform/egress/connector.ts'
import { isAtSandbox, type SandboxNames } from '../../platform/egress/egress.ts'
import { type Resolve, resolveForeignName } from '../../platform/egress/resolve.ts'
import { checkTargetUrl } from '../../platform/egress/target.ts'
import { newToken } from '../../platform/secrets/keyed-hash.ts'
import type { VisitRules } from './visit-rules.ts'

/** The only way out of one Chromium. */
export type VisitProxy = {
  readonly url: string
  /** Opens the way for a visit, by a secret of its own, and closes it again with all that goes over it. */
  admit(rules: VisitRules): { readonly username: string; readonly password: string; close(): void }
  close(): Promise<void>
}

type Way = { readonly password: Buffer; readonly rules: VisitRules; readonly sockets: Set<Duplex> }

type ProxyOptions = {
  readonly mode: Mode
  /** The names that test mode reaches, and nothing else; so does live mode where it is rehearsed, and reaches none of them otherwise. */
  readonly sandboxNames: SandboxNames | null
  /** Who is asked for the addresses of a name in live mode; without it, the DNS. */
  readonly resolve?: Resolve
}

const connectMs = 10_000
const connectionsMax = 512

/**
 * A proxy that knows nothing but `CONNECT`: names become addresses here and nowhere else, and an address is looked at when it is connected
 * to. Who does not know the secret of a visit gets nothing.
 */
export async function openVisitProxy({
  mode,
  sandboxNames,
  resolve = resolveForeignName,
}: ProxyOptions): Promise<VisitProxy> {
  const ways = new Map<string, Way>()
  const isTried = mode === 'test' || isAtSandbox(sandboxNames, mode)
  const reach = isTried ? reachNamed(sandboxNames) : reachPublic(resolve)
  const server = createServer((_request, response) => {
    response.writeHead(405).end()
  })
  server.maxConnections = connectionsMax
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy())
    const way = wayOf(request, ways)
    if (way === null) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="visit"\r\nContent-Length: 0\r\n\r\n',
      )
      return
    }
    tunnel({ client, head, way, reach, authority: request.url ?? '' }).catch(() => client.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    admit(rules) {
      const [username, password] = [newToken('', randomBytes), newToken('', randomBytes)]
      const way: Way = { password: Buffer.from(password), rules, sockets: new Set() }
      ways.set(username, way)
      return {
        username,
        password,
        close() {
          ways.delete(username)
          for (const socket of way.sockets) socket.destroy()
        },
      }
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const { sockets } of ways.values()) for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await closed
    },
  }
}

function wayOf({ headers }: IncomingMessage, ways: ReadonlyMap<string, Way>): Way | null {
  const [scheme, given = ''] = (headers['proxy-authorization'] ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'basic') return null
  const [username = '', password = ''] = Buffer.from(given, 'base64').toString('utf8').split(':')
  const way = ways.get(username)
  const said = Buffer.from(password)
  if (way === undefined || said.length !== way.password.length) return null
  // guard no-way-without-the-secret: what is no visit reaches nothing through the browser
  return timingSafeEqual(said, way.password) ? way : null
}

/** A connection to a host; null: it may not be had, or cannot. */
type Reach = (host: string) => Promise<{ socket: Socket } | { refused: 'address' | 'unreachable' }>

async function tunnel({
  client,
  head,
  way,
  reach,
  authority,
}: {
  client: Duplex
  head: Buffer
  way: Way
  reach: Reach
  authority: string
}): Promise<void> {
  const { rules, sockets } = way
  const refuse = (status: string) => client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
  const target = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i.exec(authority)
  const host = (target?.[1] ?? '').toLowerCase()
  if (target === null || target[2] !== '443' || !rules.mayConnect(host)) {
    rules.note(`connection to ${host === '' ? 'an odd address' : authority}`)
    refuse('403 Forbidden')
    return
  }
  const found = await reach(host)
  if ('refused' in found) {
    if (found.refused === 'address') rules.note(`connection to ${host}`)
    refuse(found.refused === 'address' ? '403 Forbidden' : '502 Bad Gateway')
    return
  }
  const { socket } = found
  socket.on('error', () => client.destroy())
  // While it was being connected, the visit may have ended, or hosts may have been closed.
  if (client.destroyed || !rules.mayConnect(host)) {
    socket.destroy()
    client.destroy()
    return
  }
  rules.connected(host)
  for (const one of [client, socket]) {
    sockets.add(one)
    one.once('close', () => {
      sockets.delete(one)
      client.destroy()
      socket.destroy()
    })
    one.on('data', (chunk: Buffer) => {
      if (!rules.countBytes(chunk.length)) for (const other of sockets) other.destroy()
    })
  }
  client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (head.length > 0) socket.write(head)
  client.pipe(socket)
  socket.pipe(client)
}

/** Test mode: each name of the sandbox leads to the one address that it stands for, and nothing else leads anywhere. */
function reachNamed(names: SandboxNames | null): Reach {
  const addresses = new Map(Object.entries(names?.addresses ?? {}))
  return async (host) => {
    const [address, port] = addresses.get(host)?.split(':') ?? []
    // guard test-mode-reaches-the-sandbox-alone: a visit in test mode reaches no address but those of the sandbox
    if (address === undefined || port === undefined || !isLoopbackAddress(address))
      return { refused: 'address' }
    return dial(connect({ host: address, port: Number(port) }))
  }
}

function dial(socket: Socket): Promise<{ socket: Socket } | { refused: 'unreachable' }> {
  return new Promise((resolve) => {
    socket.setTimeout(connectMs, () => socket.destroy())
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve({ socket })
    })
    socket.once('error', () => resolve({ refused: 'unreachable' }))
    socket.once('close', () => resolve({ refused: 'unreachable' }))
  })
}

/** Live mode: the public internet alone. The very addresses that were looked at are connected to. */
function reachPublic(resolve: Resolve): Reach {
  const open = gatedConnector(
    // guard live-mode-reaches-the-public-alone: a visit in live mode reaches no address of the inside
    { admits: isPublicAddress, resolve },
    { connectTimeoutMs: connectMs, ca: undefined },
  )
  return (host) => {
    if (!checkTargetUrl(`https://${host}/`, { allowLoopback: false }).ok)
      return Promise.resolve({ refused: 'address' })
    return new Promise((told) => {
      // TLS is between Chromium and the shop: this is the connection below it.
      const target = {
        hostname: host.replace(/^\[|\]$/g, ''),
        host: `${host}:443`,
        protocol: 'http:',
        port: '443',
      }
      open(target, (...[error, socket]) => {
        if (error === null) told({ socket })
        else told({ refused: isBlocked(error) ? 'address' : 'unreachable' })
      })
    })
  }
}

function isBlocked(error: Error): boolean {
  return 'egressCode' in error && error.egressCode === 'blocked_address'
}
