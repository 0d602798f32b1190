import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { getDomain } from 'tldts'
import shipped from './payment-hosts.json' with { type: 'json' }

/** Where cards are typed in a frame, where on a page of its own, and where a bank asks its customer. */
const roles = ['frame', 'page', 'acs'] as const
type PaymentRole = (typeof roles)[number]

export type PaymentHost = { readonly host: string; readonly roles: readonly PaymentRole[] }

/** Exact names: what a name only ends like is somebody else, or a page of the same company that takes no cards. */
export type PaymentHosts = ReadonlyMap<string, ReadonlySet<PaymentRole>>

/** More than any operator needs, and few enough to be read by one. */
const hostsMax = 1_000

/** A list of hosts as it is written down, with all that is wrong with it. */
export function readPaymentHosts(list: unknown): {
  readonly hosts: readonly PaymentHost[]
  readonly faults: readonly string[]
} {
  if (!Array.isArray(list))
    return { hosts: [], faults: ['it is no list; write [{"host": "pay.example.com", "roles": ["page"]}]'] }
  if (list.length > hostsMax) return { hosts: [], faults: [`it has more than ${hostsMax} hosts`] }
  const read = list.map((entry: unknown, at) => readEntry(entry, at + 1))
  return {
    hosts: read.flatMap((one) => ('host' in one ? [one] : [])),
    faults: read.flatMap((one) => ('fault' in one ? [one.fault] : [])),
  }
}

function readEntry(entry: unknown, number: number): PaymentHost | { readonly fault: string } {
  const fault = (words: string) => ({ fault: `entry ${number} ${words}` })
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return fault('is no object')
  const { host, roles: given, company: _, source: __, ...rest } = entry as Record<string, unknown> // each is looked at below
  const [other] = Object.keys(rest)
  if (other !== undefined)
    return fault(`has ${JSON.stringify(other)}; an entry has host and roles, and may have company and source`)
  if (typeof host !== 'string') return fault('has no host')
  const wrong = faultOfHost(host)
  if (wrong !== null) return fault(`has the host ${JSON.stringify(host.slice(0, 300))}, ${wrong}`)
  if (!Array.isArray(given) || given.length === 0) return fault(`(${host}) has no roles; they are a list`)
  const known = roles.filter((role) => given.includes(role))
  const strange: unknown = given.find((role) => !known.includes(role))
  if (strange !== undefined)
    return fault(`(${host}) has the role ${JSON.stringify(strange)}; roles are ${roles.join(', ')}`)
  if (isContradiction(known)) return fault(`(${host}) is ${contradiction}`)
  return { host, roles: known }
}

const contradiction = 'a host where a bank asks its customer, and cards are typed elsewhere: acs stands alone'

function isContradiction(all: readonly PaymentRole[]): boolean {
  return all.includes('acs') && all.length > 1
}

/** Null: a host as a browser writes it, below a domain that can be somebody's. */
function faultOfHost(host: string): string | null {
  if (host.startsWith('*')) return 'which is many; each host is named exactly'
  if (isIP(host) !== 0 || /^\[/u.test(host)) return 'which is an address; write a name'
  if (/[\s/:@?#\\%]/u.test(host)) return 'which is more than a name; leave https://, ports and paths out'
  if (/[^\p{ASCII}]/u.test(host))
    return `which has letters beyond ASCII; write ${domainToASCII(host) || 'xn--…'}`
  if (host !== host.toLowerCase()) return `which has capitals; write ${host.toLowerCase()}`
  if (host.endsWith('.')) return 'which ends with a dot; leave it out'
  const isName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/u.test(host)
  // `2130706433` and `0x7f.1` are addresses to a browser.
  if (!isName || host.length > 253 || URL.parse(`https://${host}`)?.hostname !== host)
    return 'which is no host name'
  return getDomain(host, { allowPrivateDomains: true }) === null
    ? 'below which others have their domains; name a host of one of them'
    : null
}

/** A list beside the known ones; throws where two entries contradict each other. */
export function withPaymentHosts(known: PaymentHosts, more: readonly PaymentHost[]): PaymentHosts {
  const all = new Map(known)
  for (const { host, roles: added } of more) {
    const both = [...(all.get(host) ?? []), ...added]
    if (isContradiction([...new Set(both)])) throw new PaymentHostsFault(`${host} is ${contradiction}`)
    all.set(host, new Set(both))
  }
  return all
}

/** Two lists say of a host what cannot both be so. */
export class PaymentHostsFault extends Error {
  override readonly name = 'PaymentHostsFault'
}

/** The payment companies that the program knows. Each entry says what it was read from. */
export const shippedPaymentHosts: PaymentHosts = withPaymentHosts(new Map(), readPaymentHosts(shipped).hosts)
