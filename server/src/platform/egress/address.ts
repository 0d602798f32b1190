import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether a connection to this address can only reach the public internet.
 *
 * It takes the text that a resolver or a parsed URL gives; any other form (octal, decimal, zone ids) is not recognized and therefore not
 * public. It fails closed: an address that is not known to be globally routed unicast is refused.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 0 || ip.includes('%') || v4CompatibleText.test(ip)) return false
  const address = ipaddr.parse(ip)
  return address instanceof ipaddr.IPv6 ? isPublicV6(address) : isPublicV4(address)
}

/** 127.0.0.0/8 and ::1, and no other spelling of them: no honest endpoint has a v4-mapped loopback address. */
export function isLoopbackAddress(ip: string): boolean {
  return isIP(ip) !== 0 && !ip.includes('%') && ipaddr.parse(ip).range() === 'loopback'
}

// ipaddr.js reads these as v4-mapped, which sockets do not.
const v4CompatibleText = /^::\d+\.[\d.]+$/

// It is routed like any public address, but inside Azure it answers as the host's own agent and gives out its secrets.
const azureHostAgent = '168.63.129.16'

const globalUnicast = ipaddr.IPv6.parse('2000::')
const nat64 = ipaddr.IPv6.parse('64:ff9b::')

function isPublicV4(address: ipaddr.IPv4): boolean {
  // guard public-v4: nothing of ours is reached by its IPv4 address
  // guard cloud-agents: the metadata service of a cloud host is out of reach
  return address.range() === 'unicast' && address.toString() !== azureHostAgent
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  // guard mapped-v4: an IPv4 address in the clothes of an IPv6 address is one
  if (address.isIPv4MappedAddress()) return isPublicV4(address.toIPv4Address())
  // Networks without IPv4 reach all of it through the well-known NAT64 prefix, so such an address is as public as the IPv4 address inside
  // it. The local prefix (64:ff9b:1::/48), 6to4, Teredo and v4-compatible addresses have no such use and stay refused.
  // guard nat64: a NAT64 address is judged by the address that it leads to
  if (address.match(nat64, 96)) return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  // guard public-v6: nothing of ours is reached by its IPv6 address
  return address.match(globalUnicast, 3) && address.range() === 'unicast'
}
