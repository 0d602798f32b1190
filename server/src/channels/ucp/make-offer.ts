import type {
  Elsewhere,
  OfferAnswer,
  OfferLine,
  OfferRequest,
  TriedCode,
} from '../../domain/buying/channels/port.ts'
import type { Call } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Checkout } from '../../protocols/ucp/read-checkout.ts'
import { firstRelease } from '../../protocols/ucp/releases.ts'
import type { MessageSigner } from '../../protocols/ucp/sign-message.ts'
import type { Business, Businesses } from './businesses.ts'
import { askerOf, createBody, updateBody } from './checkout-body.ts'
import { chooseDelivery } from './choose-delivery.ts'
import type { Exchange, Exchanged } from './exchange.ts'
import { findItem } from './find-item.ts'
import { writeReference } from './offer-reference.ts'
import { type PayingHandler, payingOf } from './paying-handler.ts'

export type Means = {
  readonly egress: Egress
  readonly publicUrl: string
  readonly signer: () => Promise<MessageSigner>
  readonly payable: Readonly<Record<Call['mode'], readonly PayingHandler[]>>
  readonly newRequestId: () => string
  readonly businesses: Businesses
  readonly exchange: Exchange
}

type Answer = OfferAnswer | Elsewhere

/** What answers are judged by. */
type Asked = { readonly items: readonly { readonly quantity: number }[] }

export const updatesMax = 5
export const fulfillment = 'dev.ucp.shopping.fulfillment'
const discount = 'dev.ucp.shopping.discount'

/** Makes a checkout at the business and brings it to where it can be completed. It commits nobody to anything. */
export async function makeOffer(means: Means, request: OfferRequest, call: Call): Promise<Answer> {
  if (request.site === null) throw new Error('a cart over UCP without its site')
  const remaining = deadlineOf(call)
  const found = await means.businesses.at(request.site, remaining())
  if (found.kind !== 'business') return found.kind === 'none' ? { kind: 'elsewhere', why: found.why } : found
  const { business } = found
  const ofProfile = business.handlers
  if (payingOf(means.payable[call.mode], { ofCheckout: [], ofProfile }) === null) return unpayable
  const lines: { id: string; quantity: number }[] = []
  for (const item of request.items) {
    const known = await findItem(means, business, item, remaining)
    if (known.kind !== 'found') return known
    lines.push({ id: known.id, quantity: item.quantity })
  }
  const promoCode = business.capabilities.has(discount) ? request.promoCode : null
  const answer = await checkOut(means, business, {
    request: { ...request, promoCode },
    lines,
    call,
    remaining,
  })
  if (promoCode === null || !mayBeTheCode(answer)) return answer
  const without = { ...request, promoCode: null }
  const plain = await checkOut(means, business, { request: without, lines, call, remaining })
  return plain.kind === 'offer' ? { ...plain, promo: { isTaken: false, message: null } } : plain
}

/** A business that does not only refuse a code, but stumbles over it, still sells without it. */
function mayBeTheCode(answer: Answer): boolean {
  switch (answer.kind) {
    case 'elsewhere':
      return answer.page === undefined
    case 'unavailable':
      return answer.retryAfterSeconds == null
    case 'refused':
      return answer.code === 'merchant_unsupported'
    case 'offer':
    case 'sign_in':
    case 'needs_input':
    case 'not_now':
      return false
    default:
      return answer satisfies never
  }
}

type Wanted = {
  readonly request: OfferRequest
  readonly lines: readonly { readonly id: string; readonly quantity: number }[]
}

/** One checkout, as far as its price. */
async function checkOut(
  means: Means,
  business: Business,
  { request, lines, call, remaining }: Wanted & { readonly call: Call; readonly remaining: () => Call },
): Promise<Answer> {
  const delivers = request.fulfillment.method === 'ship' && business.capabilities.has(fulfillment)
  const { release } = business.endpoint
  const key = means.newRequestId()
  const body = createBody(askerOf(request), lines, { release, delivers })
  const created = await means.exchange(business, { operation: 'create', key, body }, remaining())
  const brought = await bringToReady(means, business, { request, created, remaining })
  if (!('id' in brought)) return brought
  const checkout = brought
  const answer = wantsItsBuyer(checkout)
    ? atItsPage(checkout, { request, lines })
    : judge(means, business, { request, lines, checkout, mode: call.mode })
  // What is bought elsewhere is not left open here. The page of a checkout goes on with it.
  if (answer.kind === 'elsewhere' && answer.page === undefined)
    await abandon(means, business, checkout, remaining())
  return answer
}

const unpayable: Elsewhere = {
  kind: 'elsewhere',
  why: 'The shop takes nothing over UCP that can be paid with here.',
}

export function deadlineOf({ mode, timeoutMs }: Call): () => Call {
  const endMs = performance.now() + timeoutMs
  return () => ({ mode, timeoutMs: Math.max(1, endMs - performance.now()) })
}

/** Says what is missing until the checkout is ready or wants its buyer, a few times at most. */
async function bringToReady(
  means: Means,
  business: Business,
  { request, created, remaining }: { request: OfferRequest; created: Exchanged; remaining: () => Call },
): Promise<Checkout | Answer> {
  const { release } = business.endpoint
  let said = created
  for (let count = 0; ; count++) {
    if (said.kind !== 'checkout') return withoutCheckout(said, request)
    const { checkout } = said
    const chosen = chooseDelivery(checkout, request.fulfillment)
    const obstacle = obstacleIn(checkout, request)
    if (obstacle !== null) return obstacle.kind === 'elsewhere' ? checkout : obstacle
    if (chosen === null) return isReady(checkout, release) ? checkout : stuck(checkout)
    if (count === updatesMax) return stuck(checkout)
    said = await means.exchange(
      business,
      {
        operation: 'update',
        id: checkout.id,
        key: means.newRequestId(),
        body: updateBody(askerOf(request), checkout, { release, chosen }),
      },
      remaining(),
    )
  }
}

/** In the first release a checkout without errors can be completed, whatever it calls that. */
function isReady({ status, messages }: Checkout, release: string): boolean {
  if (status === 'ready_for_complete') return true
  return release === firstRelease && status === 'incomplete' && !messages.some(({ type }) => type === 'error')
}

function stuck({ messages }: Checkout): Answer {
  const said = messages.find(({ type }) => type === 'error')
  return { kind: 'refused', code: 'merchant_unsupported', message: said?.content || null }
}

export async function abandon(means: Means, business: Business, { id }: Checkout, call: Call): Promise<void> {
  await means.exchange(business, { operation: 'cancel', id, key: means.newRequestId() }, call)
}

export function withoutCheckout(said: Exclude<Exchanged, { kind: 'checkout' }>, request: Asked): Answer {
  switch (said.kind) {
    case 'busy':
      return { kind: 'unavailable', retryAfterSeconds: said.retryAfterSeconds }
    case 'lost':
    case 'not_sent':
      return { kind: 'unavailable' }
    case 'refused':
      return refusalOf(said, request) ?? { kind: 'elsewhere', why: 'The shop does not sell over UCP to us.' }
    default:
      return said satisfies never
  }
}

/** Why a checkout cannot be bought as it stands; null: nothing is in the way that could not be said. */
export function obstacleIn(checkout: Checkout, request: Asked): Answer | null {
  const { status, messages } = checkout
  if (status === 'canceled' || status === 'completed' || status === 'complete_in_progress')
    return { kind: 'unavailable' }
  const errors = messages.filter(({ type }) => type === 'error')
  // What a page does not change either: there is not enough of the goods, or they do not go there.
  for (const error of errors) {
    const refusal = refusalOf(error, request)
    if (refusal !== null) return refusal
  }
  if (wantsItsBuyer(checkout)) return atPage
  const end = errors.find(({ severity }) => severity === 'unrecoverable')
  return end ? { kind: 'refused', code: 'merchant_unsupported', message: end.content || null } : null
}

const atPage: Elsewhere = { kind: 'elsewhere', why: 'The shop wants its buyer to go on at its page.' }

function wantsItsBuyer({ status, messages }: Checkout): boolean {
  return (
    status === 'requires_escalation' || messages.some(({ severity }) => severity?.startsWith('requires_'))
  )
}

/** Codes of the protocol, and the words of the first release, which has none. */
function refusalOf(
  { code, content }: { code: string; content: string },
  { items }: Asked,
): OfferAnswer | null {
  const refused = (name: Extract<OfferAnswer, { kind: 'refused' }>['code']): OfferAnswer => ({
    kind: 'refused',
    code: name,
    message: content || null,
  })
  if (code === 'out_of_stock' || code === 'item_unavailable' || /\bstock\b/i.test(content)) {
    const isMany = items.some(({ quantity }) => quantity > 1)
    return refused(isMany ? 'insufficient_stock' : 'product_out_of_stock')
  }
  if (code === 'not_found' || /\bnot found\b/i.test(content)) return refused('product_not_found')
  if (code === 'address_undeliverable') return refused('address_undeliverable')
  return null
}

/** A checkout that is ready, as an offer: with the goods that were asked for, and sums that add up. */
function judge(
  { payable }: Means,
  { endpoint, handlers }: Business,
  {
    request,
    lines: wanted,
    checkout,
    mode,
  }: Wanted & { readonly checkout: Checkout; readonly mode: Call['mode'] },
): Answer {
  const { totals, currency } = checkout
  if (totals === null || !totals.isSum)
    return { kind: 'elsewhere', why: 'The sums of the shop’s checkout do not add up.' }
  const paying = payingOf(payable[mode], { ofCheckout: checkout.handlers, ofProfile: handlers })
  if (paying === null) return unpayable
  const { handlerId, seller } = paying
  const lines = linesAsWanted(checkout, { request, lines: wanted })
  if (lines === null) return otherGoods
  return {
    kind: 'offer',
    offer: {
      reference: writeReference({ endpoint, checkoutId: checkout.id, handlerId }),
      lines,
      subtotal: BigInt(totals.subtotal),
      fulfillment: BigInt(totals.fulfillment),
      tax: BigInt(totals.tax),
      discount: BigInt(totals.discount),
      total: BigInt(totals.total),
      currency,
      toldAs: toldAs(checkout, request),
      ...(seller === null ? {} : { seller }),
    },
    promo: triedCode(checkout, request.promoCode),
  }
}

/** A checkout that its buyer ends at a page of the shop, where the goods are read by what this checkout calls them. */
function atItsPage(checkout: Checkout, { request, lines: wanted }: Wanted): Elsewhere {
  const { continueUrl: url } = checkout
  const lines = linesAsWanted(checkout, { request, lines: wanted })
  if (lines === null) return otherGoods
  const titles = lines.flatMap(({ itemId, title }) => (title ? [[itemId, title] as const] : []))
  if (url === null || titles.length < lines.length) return atPage
  const promo = triedCode(checkout, request.promoCode)
  return {
    ...atPage,
    page: { url, titles: Object.fromEntries(titles), promo, toldAs: toldAs(checkout, request) },
  }
}

const otherGoods: Elsewhere = {
  kind: 'elsewhere',
  why: 'The shop’s checkout lists other goods than were asked for.',
}

/** The lines of a checkout, one for each item; null: they are not what was asked for. */
function linesAsWanted(checkout: Checkout, { request, lines: wanted }: Wanted): OfferLine[] | null {
  const lines = wanted.flatMap(({ id, quantity }, index): OfferLine[] => {
    const line = checkout.lines.find((one) => one.itemId === id && one.quantity === quantity)
    const item = request.items[index]
    if (!line || !item) return []
    const { title, price } = line
    return [{ itemId: item.id, quantity, unitAmount: BigInt(price), title }]
  })
  return checkout.lines.length === wanted.length && lines.length === wanted.length ? lines : null
}

function toldAs({ id }: Checkout, { site }: OfferRequest) {
  return { sender: `${site}/.well-known/ucp`, checkout: id }
}

/** What the checkout says of the code; a business may pass over one that it does not know without a word. */
function triedCode({ appliedCodes, messages }: Checkout, code: string | null): TriedCode | null {
  if (code === null) return null
  const isTaken = appliedCodes.some((one) => one.toLowerCase() === code.toLowerCase())
  const said = messages.find((message) => message.code.startsWith('discount_code_'))
  return { isTaken, message: isTaken ? null : said?.content || null }
}
