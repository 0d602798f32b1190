import { isIP } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from './address.ts'

type TargetPolicy = {
  /** Opens 127.0.0.0/8, ::1 and localhost, and plain http to these only; every other non-public address stays refused. */
  allowLoopback: boolean
}

/** Why a URL may not be called; `targetRefusals` has the sentence for a person. */
export type TargetRefusal = keyof typeof targetRefusals

export const targetRefusals = {
  malformed: 'must be an absolute URL',
  scheme: 'must use https',
  userinfo: 'must not contain a user name or password',
  host: 'must name a public host',
  address: 'must not point to a private, loopback, link-local or reserved address',
} as const

type TargetVerdict = { ok: true; url: URL } | { ok: false; reason: TargetRefusal }

/**
 * Checks a URL that a tenant names, before its name is resolved. It is only the polite half of the filter: names are checked again at
 * every connect, as the addresses that they resolve to.
 */
export function checkTargetUrl(url: string, policy: TargetPolicy): TargetVerdict {
  const parsed = URL.parse(url)
  if (parsed === null) return refused('malformed')
  // guard https-only: nothing is told to anybody in clear text
  if (!isSchemeAllowed(parsed, policy)) return refused('scheme')
  // guard no-userinfo: no URL hides its host behind a user name
  if (parsed.username !== '' || parsed.password !== '') return refused('userinfo')
  const host = hostOf(parsed)
  if (isIP(host) !== 0) return isAddressAllowed(host, policy) ? { ok: true, url: parsed } : refused('address')
  return isNameAllowed(host, policy) ? { ok: true, url: parsed } : refused('host')
}

/** `localhost` and everything below it, which RFC 6761 reserves for loopback whatever a resolver may say. */
export function isLoopbackName(host: string): boolean {
  const name = withoutRootDot(host)
  return name === 'localhost' || name.endsWith('.localhost')
}

export function isAddressAllowed(ip: string, policy: TargetPolicy): boolean {
  return isPublicAddress(ip) || (policy.allowLoopback && isLoopbackAddress(ip))
}

// Zones that no public resolver serves: reserved by RFC 6761/6762/8375 or by ICANN, or what routers use at home.
const privateZones = [
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
]

/** Every network on the way can read plain http, so it goes only where there is no network on the way. */
function isSchemeAllowed(url: URL, policy: TargetPolicy): boolean {
  if (url.protocol === 'https:') return true
  const host = hostOf(url)
  const isHere = isIP(host) === 0 ? isLoopbackName(host) : isLoopbackAddress(host)
  // guard http-to-loopback-alone: plain http goes nowhere but to this machine, also where loopback is open
  return url.protocol === 'http:' && policy.allowLoopback && isHere
}

function isNameAllowed(host: string, policy: TargetPolicy): boolean {
  if (isLoopbackName(host)) return policy.allowLoopback
  const name = withoutRootDot(host)
  // A single label would be completed by the search domain of the machine that resolves it, which is ours.
  if (!name.includes('.')) return false
  // `127.0.0.1..` is not an address for a URL parser and not a name for DNS; resolvers treat it differently.
  if (name.split('.').includes('')) return false
  // guard private-names: no name of a private network is called
  return !privateZones.some((zone) => name === zone || name.endsWith(`.${zone}`))
}

function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

function withoutRootDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}

function refused(reason: TargetRefusal): TargetVerdict {
  return { ok: false, reason }
}
