import { getDomain } from 'tldts'
import type { ShopRequest } from '../../channels/browser/shopping-words.ts'
import type { PaymentHosts } from './payment-hosts.ts'

/** How much one visit may ask for, and get. */
const visitLimits = { requests: 2_000, bytes: 100 * 1_048_576 } as const

const refusalsMax = 200
/** Something shorter stands in many addresses by chance: it is looked for as a whole value alone. */
const tellingLength = 8

type Visited = Pick<ShopRequest, 'site' | 'moreHosts'> & Partial<Pick<ShopRequest, 'startAt'>>

/** What one visit may contact and do, and what it has tried beyond that. */
export class VisitRules {
  readonly #site: URL
  readonly #merchantDomain: string
  readonly #moreHosts: ReadonlySet<string>
  readonly #paymentHosts: PaymentHosts
  /** The page that the merchant itself has named to be paid at. */
  readonly #namedOrigin: string | null
  readonly #contacted = new Set<string>()
  readonly #refusals: string[] = []
  readonly #secrets: string[] = []
  #requests = 0
  #bytes = 0
  #isClosed = false

  constructor({ site, moreHosts, startAt = null }: Visited, paymentHosts: PaymentHosts) {
    this.#paymentHosts = paymentHosts
    this.#site = new URL(site)
    this.#merchantDomain = domainOf(this.#site.hostname)
    this.#moreHosts = new Set(moreHosts)
    const named = startAt === null ? null : URL.parse(startAt)
    const isTheirs = named?.protocol === 'https:' && named.port === '' && this.#isTheirs(named.hostname)
    this.#namedOrigin = isTheirs ? named.origin : null
  }

  /** All hosts that were contacted, in the order of the first contact. */
  contacted(): readonly string[] {
    return [...this.#contacted]
  }

  refusals(): readonly string[] {
    return this.#refusals
  }

  note(refusal: string): void {
    // A page can try the same thing as often as it likes.
    if (this.#refusals.length < refusalsMax && this.#refusals.at(-1) !== refusal) this.#refusals.push(refusal)
  }

  /** Where the page itself may be, which is narrower than what it may load. */
  mayNavigate(address: string): boolean {
    const url = URL.parse(address)
    if (url?.protocol !== 'https:' || url.port !== '') return false
    // guard a-page-stays-at-its-shop: the page of a shop leads to nobody but the shop and to where one pays
    return this.#isTheirs(url.hostname) || this.isOfPayment(url.hostname)
  }

  isOfPayment(host: string): boolean {
    return this.#paymentHosts.has(host)
  }

  #isTheirs(host: string): boolean {
    return domainOf(host) === this.#merchantDomain || this.#moreHosts.has(host)
  }

  /** What a page may load: nothing but https on its usual port. Which addresses are behind a name is seen when it is connected to. */
  mayLoad(address: string): boolean {
    const url = URL.parse(address)
    return url !== null && (url.protocol === 'https:' || url.protocol === 'wss:') && url.port === ''
  }

  /** From here on no address may hold this: shops, their suppliers and their logs keep addresses. */
  keepOutOfAddresses(secret: string): void {
    this.#secrets.push(secret)
  }

  /** A form that is sent with GET writes what was typed into its address. */
  holdsSecret(address: string): boolean {
    const url = this.#secrets.length === 0 ? null : URL.parse(address)
    if (url === null) return false
    const values = [...url.searchParams.values()]
    const texts = [...values, decoded(url.href)].flatMap((text) => [text, text.replace(/[\s-]/g, '')])
    return this.#secrets.some(
      // guard addresses-hold-no-secret: no address holds a password or a card number that was typed
      (secret) =>
        values.includes(secret) ||
        (secret.length >= tellingLength && texts.some((text) => text.includes(secret))),
    )
  }

  /** Counts a request; false for one too many. */
  countRequest(): boolean {
    this.#requests += 1
    if (this.#requests <= visitLimits.requests) return true
    this.note(`more than ${visitLimits.requests} requests`)
    return false
  }

  /** Counts what went over the wire; false when it is too much. */
  countBytes(bytes: number): boolean {
    this.#bytes += bytes
    if (this.#bytes <= visitLimits.bytes) return true
    this.note('more than 100 MB')
    return false
  }

  mayConnect(host: string): boolean {
    if (this.#bytes > visitLimits.bytes) return false
    // guard no-new-hosts-after-the-card: once a card is typed, its page contacts nobody whom it has not before
    return !this.#isClosed || this.#contacted.has(host) || this.#paymentHosts.get(host)?.has('acs') === true
  }

  connected(host: string): void {
    this.#contacted.add(host)
  }

  closeHosts(): void {
    this.#isClosed = true
  }

  /**
   * The merchant's own origin, with or without `www.`, the one that it has named for this cart, and the exact hosts where cards are typed
   * for others.
   */
  mayTakeCard(origin: string): boolean {
    const url = URL.parse(origin)
    if (url === null || url.origin !== origin || url.protocol !== 'https:') return false
    const roles = this.#paymentHosts.get(url.hostname)
    // guard no-cards-where-banks-ask: a card is typed at no page of a bank
    if (roles?.has('frame') || roles?.has('page')) return url.port === ''
    if (origin === this.#namedOrigin) return true
    // guard cards-at-the-shop-and-where-one-pays: a card is typed at its shop and at known hosts of payment alone
    return url.port === this.#site.port && withoutWww(url.hostname) === withoutWww(this.#site.hostname)
  }

  /** The merchant's own hosts: shops often let their customers sign in at another one than they sell at. */
  mayTakePassword(origin: string): boolean {
    const url = URL.parse(origin)
    if (url === null || url.origin !== origin || url.protocol !== 'https:') return false
    // guard passwords-at-the-shop-alone: a password is typed at hosts of its shop alone
    return url.port === this.#site.port && domainOf(url.hostname) === this.#merchantDomain
  }
}

/** The registrable domain; a host that has none, such as an address, is its own. Shops below one host of many are different merchants. */
function domainOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host
}
