import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from '../../contract/limits.ts'
import { countedAddress } from './client-address.ts'

export type ConnectionGuard = {
  /** A key that exists was shown on the connection: it is never pushed out. */
  prove(request: IncomingMessage): void
}

type Options = {
  limits: Pick<Limits, 'connections' | 'addressConnections' | 'takeSeconds'>
  /** Proxies bring many callers over few addresses: these are counted by request. */
  isTrusted: (address: string) => boolean
  isUnderWay: (socket: Socket) => boolean
}

/** Oldest first. */
type OfAddress = { open: Set<Socket>; unproven: Set<Socket> }

/**
 * Bounds the connections of the process, in all and by address. A new connection is accepted and pushes out the oldest one that never
 * showed a key, of its own address or of the address that has most of these. A caller that opens connections in masses loses its own, and
 * callers with keys keep theirs.
 */
export function guardConnections(
  server: Server,
  { limits, isTrusted, isUnderWay }: Options,
): ConnectionGuard {
  const addresses = new Map<string, OfAddress>()
  const unproven = new WeakMap<Socket, OfAddress>()
  let total = 0

  function forget(socket: Socket, address: string, of: OfAddress): void {
    total -= 1
    of.open.delete(socket)
    of.unproven.delete(socket)
    if (of.open.size === 0) addresses.delete(address)
  }

  /** Ends one connection and counts it as gone; false: all of them have shown keys. */
  function pushOut(of: OfAddress | undefined): boolean {
    const [oldest] = of?.unproven ?? []
    if (!oldest) return false
    of?.unproven.delete(oldest)
    oldest.destroy()
    return true
  }

  function mostUnproven(): OfAddress | undefined {
    let most: OfAddress | undefined
    for (const of of addresses.values()) if (of.unproven.size > (most?.unproven.size ?? 0)) most = of
    return most
  }

  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const address = countedAddress(remoteAddress)
    const of = addresses.get(address) ?? { open: new Set(), unproven: new Set() }
    const isProxy = isTrusted(remoteAddress)
    // guard connections-of-an-address: one address does not hold all connections
    if (!isProxy && of.open.size >= limits.addressConnections && !pushOut(of)) return void socket.destroy()
    if (total >= limits.connections && !pushOut(mostUnproven())) return void socket.destroy()
    total += 1
    of.open.add(socket)
    addresses.set(address, of)
    if (!isProxy) {
      of.unproven.add(socket)
      unproven.set(socket, of)
    }
    socket.once('close', () => forget(socket, address, of))
  })

  // Node reports a timeout when no byte went either way for as long, or when the bytes that wait to be sent have not become fewer.
  server.setTimeout(limits.takeSeconds * 1000, (socket: Socket) => {
    // guard unread-answers-end: a client that does not read an answer does not hold it for ever
    const waitsForUs = isUnderWay(socket) && socket.writableLength === 0
    if (!waitsForUs) socket.destroy()
  })

  return {
    prove({ socket }) {
      const of = unproven.get(socket)
      if (!of) return
      // guard proven-connections-stay: a client without a key does not push out one that has shown a key
      of.unproven.delete(socket)
      unproven.delete(socket)
    },
  }
}
