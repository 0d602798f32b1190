import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Peer = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } }

type ClientAddresses = {
  /**
   * The caller's address: the other end of the connection, or, when that is a proxy of ours, the nearest address behind it that is not
   * one.
   */
  of(request: Peer): string
  isTrusted(address: string): boolean
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** `trustedProxies` are addresses and networks, as the setting holds them. */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const networks = trustedProxies.map(networkOf)

  function isTrusted(address: string): boolean {
    if (networks.length === 0 || isIP(address) === 0) return false
    const parsed = ipaddr.process(address)
    return networks.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network as ipaddr.IPv4, bits), // of one kind
    )
  }

  return {
    isTrusted,
    of({ socket, headers }) {
      const peer = plain(socket.remoteAddress ?? '')
      // guard strangers-forward-nothing: a client does not choose the address that we know it by
      if (!isTrusted(peer)) return peer
      // Each proxy adds the address that it heard, on the right. Anything to the left of the first address that is not our proxy can be
      // invented by the caller.
      const hops = String(headers['x-forwarded-for'] ?? '').split(',')
      let nearest = peer
      for (const hop of hops.reverse()) {
        const address = addressOf(hop)
        if (address === null) return nearest
        nearest = address
        // guard nearest-hop: addresses that a client writes before the proxy are not believed
        if (!isTrusted(address)) return address
      }
      return nearest
    },
  }
}

/** The address that is counted as one caller: an IPv4 address, or the /64 of IPv6 that one customer of a provider has. */
export function countedAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

function networkOf(text: string): Network {
  const [address = '', bits] = text.split('/')
  const parsed = ipaddr.parse(address)
  return [parsed, bits === undefined ? parsed.toByteArray().length * 8 : Number(bits)]
}

/** Sockets that accept both kinds report IPv4 addresses in the form of IPv6. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

/** One hop, which some proxies write with its port. */
function addressOf(hop: string): string | null {
  const text = hop.trim()
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(bare) === 0 || bare.includes('%') ? null : plain(bare)
}
