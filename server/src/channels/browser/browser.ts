import type { Mode } from '../../contract/context.ts'
import type {
  BuyingChannel,
  ChannelCall,
  ChannelDeclaration,
  Offer,
  OfferAnswer,
  OfferRequest,
  PlaceAnswer,
  PlaceRequest,
} from '../../domain/buying/channels/port.ts'
import type { NotNow } from '../../domain/buying/rails/port.ts'
import { plainLine } from '../../protocols/ucp/plain-text.ts'
import type { BrowserAway, BrowserPort } from './browser-port.ts'
import type { PageReader } from './page-reader.ts'
import { chosenAtPage } from './page-variant-id.ts'
import type { ShopEvidence, ShopPlaced, ShopPrice, ShopQuestion, ShopRequest } from './shopping-words.ts'

/** `browser` null: this installation has none. */
type BrowserParts = {
  readonly browser?: BrowserPort | null
  /** Who is asked where the rules for pages are stuck; null: nobody is. */
  readonly pageReader?: PageReader | null
  /** Whether a rail of this installation issues cards that can be typed into pages of a mode; left out: of each. */
  readonly issuesCards?: (mode: Mode) => boolean
}

/**
 * The web pages of shops that know nothing of agents. A browser in a process of its own goes through them and types a card, which the rail
 * has issued for this purchase. What that process says of an order is never enough: the rail says whether it was charged.
 */
export const browserChannel = {
  name: 'browser',
  modes: ['test', 'live'],
  payment: 'credential',
  form: 'card',
  hasStrangers: true,
  longestCallMs: 240_000,
  isOffered: ({ browser, issuesCards }, mode) => Boolean(browser) && (issuesCards?.(mode) ?? true),
  open: ({ browser, pageReader }) => (browser ? createBrowserChannel(browser, pageReader ?? null) : null),
} as const satisfies ChannelDeclaration<BrowserParts>

/** As much of a page's words is kept. */
const titleMax = 200
const labelMax = 80
const messageMax = 500

/** The browser is full or away. The merchant was not asked, so nothing is known about it. */
const noRoom: NotNow = { kind: 'not_now', reason: 'no_room', retryAfterSeconds: null }

function createBrowserChannel(browser: BrowserPort, reader: PageReader | null): BuyingChannel {
  return {
    async offer(request, call) {
      const { signIn = null, answers = null, page = null } = request
      const session = answers?.session ?? null
      const { isLate, ...bounds } = boundsOf(call)
      const said = await browser.price(shopRequestOf(request, request.cartKey), {
        ...bounds,
        reader,
        signIn,
        session,
      })
      // Its browser has ended: that says nothing about the shop.
      return said.kind === 'lost' && !isLate() ? noRoom : offerAnswerOf(said, page)
    },
    async place(request, call) {
      const { instrument, offer } = request
      if (instrument.kind !== 'credential' || instrument.form !== 'card')
        throw new Error('what is bought at a page is paid with a card')
      let mayBeTyped = false
      const grant = (origin: string) => {
        mayBeTyped = true
        return instrument.grant(origin)
      }
      const { isLate, ...bounds } = boundsOf(call)
      const said = await browser.place(
        // The code was tried with the offer; the order is for the price that came of it.
        shopRequestOf({ ...request, currency: offer.currency }, cartKeyOf(request)),
        plainOffer(offer),
        { ...bounds, reader, grant },
      )
      // Its browser has ended, and had no card yet.
      return said.kind === 'lost' && !mayBeTyped && !isLate() ? noRoom : placeAnswerOf(said)
    },
    // The page is gone with its browser, and nobody may order a second time to look: the rail is asked instead.
    ask: async () => ({ kind: 'unknown' }),
    close: async () => ({ kind: 'unknown' }),
  }
}

function boundsOf({ mode, share, timeoutMs, signal: given, onEvidence }: ChannelCall) {
  const bound = AbortSignal.timeout(Math.ceil(timeoutMs))
  const signal = given ? AbortSignal.any([given, bound]) : bound
  return {
    mode,
    share,
    signal,
    /** Whether the call was ended from here. */
    isLate: () => signal.aborted,
    onEvidence: (evidence: ShopEvidence) => void onEvidence?.(evidence),
  }
}

type Wanted = Pick<
  OfferRequest,
  | 'buyer'
  | 'merchantDomain'
  | 'site'
  | 'moreHosts'
  | 'items'
  | 'currency'
  | 'fulfillment'
  | 'promoCode'
  | 'page'
  | 'answers'
>
type CartPage = NonNullable<Wanted['page']>

function shopRequestOf(request: Wanted, cartKey: string): ShopRequest {
  const { buyer, merchantDomain, site, moreHosts = [], items, currency, fulfillment, promoCode } = request
  const { page = null, answers = null } = request
  const [cart = '', attempt] = cartKey.split(':')
  return {
    cart,
    attempt: Number(attempt),
    buyer,
    merchantDomain,
    site: site ?? new URL(items[0]?.url ?? '').origin,
    items: items.map(({ id, url, quantity, unitAmount, variant }) => ({
      id,
      url,
      quantity,
      unitAmount,
      variant: chosenAtPage(variant),
      title: page?.titles[id] ?? null,
    })),
    startAt: page?.url ?? null,
    currency,
    fulfillment,
    // A code that the cart was begun with is not tried again.
    promoCode: page?.promo ? null : promoCode,
    moreHosts,
    answers: answers?.given ?? [],
  }
}

/** `cart_…:1`, of the key of its order. */
function cartKeyOf({ key }: PlaceRequest): string {
  return key.split(':').slice(0, 2).join(':')
}

function offerAnswerOf(said: ShopPrice | BrowserAway, page: CartPage | null): OfferAnswer {
  switch (said.kind) {
    case 'offer': {
      const { offer, promo } = said
      const lines = offer.lines.map((line) => ({ ...line, title: shown(line.title, titleMax) }))
      return {
        kind: 'offer',
        offer: { ...offer, lines, toldAs: page?.toldAs },
        promo: promo ?? promoAtPage(page, offer.discount),
      }
    }
    case 'sign_in': {
      const { session, ...rest } = said
      const code = session === null ? null : { session }
      return { ...rest, code, message: shown(said.message, messageMax) }
    }
    case 'needs_input':
      return questionOf(said)
    case 'refused':
      return { ...said, message: shown(said.message, messageMax) ?? addressFor(said, page) }
    case 'no_room':
    case 'not_sent':
      return noRoom
    case 'unavailable':
    case 'lost':
      return { kind: 'unavailable' }
    default:
      return said satisfies never
  }
}

/** Words of the page, as everywhere; a field that has none left cannot be asked about. */
function questionOf({ host, fields, message, session }: ShopQuestion): OfferAnswer {
  const clean = (said: string) => shown(said, labelMax) ?? ''
  const asked = fields.map(({ options, ...field }) => ({
    ...field,
    host,
    label: clean(field.label),
    ...(options === undefined ? {} : { options: options.map(clean) }),
  }))
  const isAskable = asked.every(({ label, options = [label] }) => label !== '' && !options.includes(''))
  return isAskable
    ? { kind: 'needs_input', fields: asked, message: shown(message, messageMax), session }
    : { kind: 'refused', code: 'merchant_unsupported', message: shown(message, messageMax) }
}

/** A code that was taken counts only where the page takes something off. */
function promoAtPage(page: CartPage | null, discount: bigint): CartPage['promo'] {
  const promo = page?.promo ?? null
  return promo && { ...promo, isTaken: promo.isTaken && discount > 0n }
}

/** A person can go on at a page where this browser cannot. */
function addressFor(said: { kind: string; code?: string }, page: CartPage | null): string | null {
  const isForPerson = said.code === 'merchant_unsupported' || said.code === 'captcha_blocked'
  return isForPerson && page !== null ? `The shop wants its buyer to go on at its page. ${page.url}` : null
}

/** Words of a page, which models read later: one line, no markup, nothing that is not seen. */
function shown(said: string | null, lengthMax: number): string | null {
  return said === null ? null : plainLine(said, lengthMax) || null
}

/** Who is told of the order is nothing that its page has to know. */
function plainOffer({ toldAs: _, ...offer }: Offer): Offer {
  return offer
}

function placeAnswerOf(said: ShopPlaced | BrowserAway): PlaceAnswer {
  switch (said.kind) {
    case 'placed':
      return {
        kind: 'done',
        value: { orderId: said.orderId, transactionId: null, orderUrl: said.orderUrl },
      }
    case 'refused':
      return {
        kind: 'refused',
        refusal: { code: said.code, message: shown(said.message, messageMax), declineCode: null },
      }
    case 'no_room':
    case 'not_sent':
      return noRoom
    case 'unknown':
    case 'lost':
      return { kind: 'unknown' }
    default:
      return said satisfies never
  }
}
