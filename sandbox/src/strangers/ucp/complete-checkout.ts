import { setTimeout as wait } from 'node:timers/promises'
import type { Means } from '../shop/card-processor.ts'
import type { Order } from '../shop/memory.ts'
import { openOrder, payOrder } from '../shop/place-order.ts'
import { type Answer, type Call, TurnedAway } from './call.ts'
import { stateOf } from './checkout-state.ts'
import { answerWith, barredChange, noSuchCheckout, ownSession } from './checkouts.ts'
import { readInstrument } from './handlers.ts'
import { holdForNothing, stuckMs } from './held-money.ts'
import { tellPlatform } from './order-messages.ts'
import { firstRelease } from './releases.ts'
import { cartOfSession, deskAt, findSession, keepSession, orderOfSession, type Session } from './session.ts'
import { dayOf } from './shop-days.ts'
import { type Story, storyOf } from './stories.ts'
import { priceOf, type UcpShop } from './ucp-shop.ts'

const laterMs = 2_000

export async function completeCheckout(shop: UcpShop, call: Call): Promise<Answer> {
  const session = ownSession(shop, call)
  if (session === undefined) return noSuchCheckout(call)
  const { status, messages } = stateOf(shop, session)
  if (status === 'completed' || status === 'complete_in_progress') return answerWith(shop, session, call)
  const barred = barredChange(shop, session, call)
  if (barred !== undefined) return barred
  if (status !== 'ready_for_complete')
    return call.agreed.release === firstRelease
      ? { status: 400, body: { detail: messages[0]?.content ?? 'The checkout is incomplete' } }
      : answerWith(shop, session, call)
  const story = storyOf(cartOfSession(shop.desk, session).lines)
  const read = readInstrument(call.body, call.agreed.release)
  if (read.kind === 'refused' || story.isPaidElsewhere || !call.face.isPayable)
    return unpaid(shop, session, call, read.kind === 'refused' ? read.why : 'No handler of this checkout.')
  return payIn(shop, { session, call, story, means: read.means })
}

type Completing = { session: Session; call: Call; story: Story; means: Means }

/** What becomes of an order that could be paid. */
async function payIn(shop: UcpShop, completing: Completing): Promise<Answer> {
  const { session, call, story, means } = completing
  const change = (to: Partial<Session>): Session => {
    const changed = { ...session, ...to }
    keepSession(shop.desk, changed)
    return changed
  }
  if (story.refuses === 'always')
    throw new TurnedAway('forbidden', 'This platform may not complete checkouts.', {
      status: 403,
      rpc: -32000,
    })
  if (story.refuses === 'once' && !session.hasBroken) {
    change({ hasBroken: true })
    throw new TurnedAway('unavailable', 'Try again in a moment.', {
      status: 503,
      rpc: -32000,
      retryAfter: 1,
    })
  }
  if (story.breaks === 'before' && !session.hasBroken)
    return { ...answerWith(shop, change({ hasBroken: true }), call), ends: 'broken' }
  if (story.raisedBy !== undefined && !session.isRaised) {
    const content = 'The price has changed. Look at the new total, and complete once more.'
    const path = '$.totals'
    const also = [{ type: 'error', code: 'price_changed', content, path, severity: 'recoverable' } as const]
    return answerWith(shop, change({ isRaised: true }), call, { also })
  }
  if (story.isDeclined) return unpaid(shop, session, call, 'The payment was declined.')
  if (story.escalates === 'complete') {
    shop.waiting.set(session.id, means)
    return answerWith(shop, change({ stage: 'challenged' }), call)
  }
  if (story.settles === 'never' || story.settles === 'held') {
    const stuck = change({ stage: 'stuck', expiresAt: new Date(Date.now() + stuckMs).toISOString() })
    if (story.settles === 'held') await holdForNothing(shop, stuck, means)
    return answerWith(shop, stuck, call)
  }
  if (story.settles === 'later') {
    await payLater(shop, session, means)
    return answerWith(shop, session, call)
  }
  const { code } = await orderAndPay(shop, session, means)
  if (code !== null && code !== 'no_answer') return unpaid(shop, session, call, `Declined: ${code}.`)
  return { ...answerWith(shop, session, call), ...endOf(story) }
}

function endOf(story: Story): Pick<Answer, 'ends'> {
  if (story.breaks === 'after') return { ends: 'broken' }
  if (story.garbage === 'complete') return { ends: 'garbage' }
  return story.delays === 'complete' ? { ends: 'late' } : {}
}

/** Makes the order, asks the token for its total, and tells the platform. */
export async function orderAndPay(
  shop: UcpShop,
  session: Session,
  means: Means,
): Promise<{ code: string | null }> {
  const desk = deskAt(shop.desk, session)
  const cart = cartOfSession(desk, session)
  const priced = priceOf(shop, session)
  const { asksMore = 0, capture = 'now' } = storyOf(cart.lines)
  const order = await openOrder(desk, {
    cart,
    priced,
    method: 'token',
    capture,
    amount: priced.total + asksMore,
  })
  return settle(shop, session.id, await payOrder(desk, order, means))
}

/** What was paid in a browser. */
export function completeCheckoutOf(shop: UcpShop, id: string): void {
  const session = findSession(shop.desk, id)
  const order = session && orderOfSession(shop.desk, session)
  if (order?.state === 'paid' && session?.orderedOn === null) void settle(shop, id, { order, code: null })
}

async function payLater(shop: UcpShop, session: Session, means: Means): Promise<void> {
  const desk = deskAt(shop.desk, session)
  const cart = cartOfSession(desk, session)
  const priced = priceOf(shop, session)
  const order = await openOrder(desk, { cart, priced, method: 'token' })
  void wait(laterMs, undefined, { ref: false })
    .then(() => payOrder(desk, order, means))
    .then((paid) => settle(shop, session.id, paid))
}

/** The order is in the book from its first day on. */
async function settle(
  shop: UcpShop,
  id: string,
  { order, code }: { order: Order; code: string | null },
): Promise<{ code: string | null }> {
  const session = findSession(shop.desk, id)
  if (code === null && session !== undefined) {
    const ordered = { ...session, orderedOn: dayOf(shop.desk) }
    keepSession(shop.desk, ordered)
    const told = tellPlatform(shop, ordered, order, 'created')
    if (storyOf(cartOfSession(shop.desk, session).lines).tells === 'first') await told
  }
  return { code }
}

/** The checkout stays as it is, and can be completed with something else. */
function unpaid(shop: UcpShop, session: Session, call: Call, content: string): Answer {
  if (call.agreed.release === firstRelease) return { status: 402, body: { detail: content } }
  const message = {
    type: 'error',
    code: 'payment_failed',
    content: `${content} Nothing was charged.`,
    path: '$.payment.instruments[0]',
    severity: 'recoverable',
  } as const
  return answerWith(shop, session, call, { also: [message] })
}
