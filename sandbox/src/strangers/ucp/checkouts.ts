import type { Cart } from '../shop/cart.ts'
import { freshCart, newId } from '../shop/desk.ts'
import { entryOf } from '../shop/memory.ts'
import { type Answer, type Call, refusal } from './call.ts'
import { bodyFromCart, noSuchCart, noteCheckout } from './carts.ts'
import { checkoutDocument } from './checkout-document.ts'
import { type Message, stateOf } from './checkout-state.ts'
import { releaseHold } from './held-money.ts'
import { cartWith, deliveryAfter, readWanted, refusedGoods, type Wanted } from './read-checkout.ts'
import { cartOfSession, findSession, keepSession, type Session } from './session.ts'
import { storyOf } from './stories.ts'
import type { UcpShop } from './ucp-shop.ts'

const openHours = 6

export function createCheckout(shop: UcpShop, call: Call): Answer {
  const from = bodyFromCart(shop, call)
  if (from.kind === 'missing') return noSuchCart(call)
  const open = ownSession(shop, { ...call, id: from.checkoutId })
  if (open !== undefined && barredChange(shop, open, call) === undefined) return answerWith(shop, open, call)
  const wanted = readWanted(from.body, call.agreed.capabilities)
  const refused = refusedGoods(call, wanted)
  if (refused !== undefined) return refused
  const id = newId('chk')
  if (from.cartId !== null) noteCheckout(shop, call, { cartId: from.cartId, checkoutId: id })
  const session: Session = {
    id,
    host: call.face.host,
    release: call.agreed.release,
    agent: call.platform.url,
    webhookUrl: call.platform.webhookUrl,
    canDeliver: call.agreed.capabilities.includes('dev.ucp.shopping.fulfillment'),
    buyer: wanted.buyer,
    destinations: [],
    selectedDestinationId: null,
    codes: wanted.codes,
    attribution: wanted.attribution,
    stage: 'open',
    isUpdated: false,
    isRaised: false,
    hasBroken: false,
    expiresAt: new Date(Date.now() + openHours * 3_600_000).toISOString(),
    orderedOn: null,
    happened: [],
  }
  const kept = keepWanted(shop, { session, cart: { ...freshCart(null), id }, wanted })
  const answer = answerWith(shop, kept, call, { status: 201 })
  if (answer.story?.garbage === 'create') return { ...answer, ends: 'garbage' }
  return answer.story?.delays === 'create' ? { ...answer, ends: 'late' } : answer
}

export function getCheckout(shop: UcpShop, call: Call): Answer {
  const session = ownSession(shop, call)
  return session === undefined ? noSuchCheckout(call) : answerWith(shop, session, call)
}

/** The whole checkout once more: what is left out is gone, but for destinations. */
export function updateCheckout(shop: UcpShop, call: Call): Answer {
  const session = ownSession(shop, call)
  if (session === undefined) return noSuchCheckout(call)
  const barred = barredChange(shop, session, call)
  if (barred !== undefined) return barred
  const wanted = readWanted(call.body, call.agreed.capabilities)
  const refused = refusedGoods(call, wanted)
  if (refused !== undefined) return refused
  const { buyer, codes } = wanted
  const attribution = { ...session.attribution, ...wanted.attribution }
  const changed = { ...session, buyer, codes, attribution, isUpdated: true }
  const cart = cartOfSession(shop.desk, session)
  return answerWith(shop, keepWanted(shop, { session: changed, cart, wanted }), call)
}

/** One that holds money gives it back. */
export async function cancelCheckout(shop: UcpShop, call: Call): Promise<Answer> {
  const session = ownSession(shop, call)
  if (session === undefined) return noSuchCheckout(call)
  const { status } = stateOf(shop, session)
  if (status === 'completed' || (status === 'complete_in_progress' && session.stage !== 'stuck'))
    return refusal(call.agreed, 'not_cancelable', `The checkout is ${status}.`, 409)
  shop.waiting.delete(session.id)
  const canceled: Session = { ...session, stage: 'canceled' }
  keepSession(shop.desk, canceled)
  await releaseHold(shop, canceled)
  return answerWith(shop, canceled, call)
}

/** A checkout is there for the platform that made it. */
export function ownSession({ desk }: UcpShop, { id, platform, face }: Call): Session | undefined {
  const session = findSession(desk, id)
  return session?.agent === platform.url && session.host === face.host ? session : undefined
}

export function noSuchCheckout({ agreed }: Pick<Call, 'agreed'>): Answer {
  return refusal(agreed, 'not_found', 'There is no such checkout.', 404)
}

/** What can not be changed any more. */
export function barredChange(shop: UcpShop, session: Session, { agreed }: Call): Answer | undefined {
  const { status } = stateOf(shop, session)
  const isOpen = ['incomplete', 'ready_for_complete', 'requires_escalation'].includes(status)
  return isOpen && session.stage === 'open'
    ? undefined
    : refusal(agreed, `checkout_${status}`, `The checkout is ${status} and can not be changed.`, 409)
}

export function answerWith(
  shop: UcpShop,
  session: Session,
  { agreed }: Pick<Call, 'agreed'>,
  { status = 200, also = [] }: { status?: number; also?: readonly Message[] } = {},
): Answer {
  const story = storyOf(cartOfSession(shop.desk, session).lines)
  const body = checkoutDocument(shop, session, { agreed, also })
  return { status, body, story, checkoutId: session.id }
}

function keepWanted(
  { desk }: UcpShop,
  { session, cart, wanted }: { session: Session; cart: Cart; wanted: Wanted },
): Session {
  const { destinations, selectedDestinationId, option } = deliveryAfter(wanted, session, cart.delivery)
  const destination = destinations.find(({ id }) => id === selectedDestinationId)
  const filled = cartWith(cart, wanted, { destination, option })
  const entry = entryOf('cart', session.isUpdated ? 'updated' : 'created', { cart: filled })
  desk.memory.commit({ kind: 'cart', cart: filled, entry })
  const kept: Session = { ...session, destinations, selectedDestinationId }
  keepSession(desk, kept)
  return kept
}
