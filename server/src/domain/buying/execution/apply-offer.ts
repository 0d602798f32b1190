import { cleanupStage, type FailureReason, failureOf, proposePrice } from '../intents/public.ts'
import type { Bench } from './bench.ts'
import { decideOffer } from './decide-offer.ts'
import type { Offer, OfferAnswer } from './port.ts'
import { offerStage, parseStage, signInStage } from './stage.ts'
import { after } from './step.ts'
import { timing } from './timing.ts'

/** What follows from a merchant's answer to "what do you ask?". `asked`: a person is asked about the price, the cart waits. */
export async function applyOffer(bench: Bench, answer: OfferAnswer): Promise<'go_on' | 'asked'> {
  const { cart } = bench
  // Cancelled meanwhile, or in question: an offer commits nobody.
  if (cart.status !== 'created' && cart.status !== 'in_progress') return 'go_on'
  if (cart.status === 'created') {
    bench.change({ status: 'in_progress', started_at: cart.started_at ?? bench.act.now }, 'cart.started')
  }
  switch (answer.kind) {
    case 'offer':
      return await judge(bench, answer.offer)
    case 'refused':
      failCart(
        bench,
        failureOf(answer.code, answer.message === null ? {} : { merchant_message: answer.message }),
      )
      return 'go_on'
    case 'sign_in':
      // Started, then stopped: the state table knows no shorter way.
      await bench.flush()
      stopAtSignIn(bench)
      return 'go_on'
    case 'unavailable': {
      const stage = parseStage(cart.stage)
      bench.change({ stage: offerStage(stage.kind === 'offer' ? stage.tries + 1 : 1, bench.act.now) })
      return 'go_on'
    }
    default:
      return answer satisfies never
  }
}

/** Ends the attempt. What is still held or taken keeps the cart in cleanup until it is given back. */
export function failCart(bench: Bench, failure: FailureReason, isOutcomeKnown = true): void {
  const isHeld = bench.holds.some(({ status }) => status === 'authorized' || status === 'captured')
  bench.change(
    {
      status: 'failed',
      failure,
      outcome_known: isOutcomeKnown,
      past_no_return: !isOutcomeKnown,
      stage: isHeld && isOutcomeKnown ? cleanupStage : null,
      started_at: bench.cart.started_at ?? bench.act.now,
      completed_at: bench.act.now,
    },
    'cart.failed',
  )
  leaveSignIn(bench)
}

async function judge(bench: Bench, offer: Offer): Promise<'go_on' | 'asked'> {
  const { cart, intent, act } = bench
  const shown = {
    subtotal: Number(offer.subtotal),
    fulfillment: Number(offer.fulfillment),
    tax: Number(offer.tax),
    discount: Number(offer.discount),
    total: Number(offer.total),
    as_of: act.now.toISOString(),
  }
  const items = cart.items.map((item) => {
    const line = offer.lines.find(({ itemId }) => itemId === item.id)
    return line ? { ...item, unit_amount: Number(line.unitAmount), title: line.title ?? item.title } : item
  })
  bench.change({ offer: shown, items, stage: null }, 'cart.offer_updated')
  const verdict = decideOffer(
    {
      currency: cart.currency,
      expectedAmount: cart.expected_amount,
      toleranceBasisPoints: cart.tolerance_basis_points,
      feeAllowance: cart.fee_allowance,
      maxAllowedAmount: cart.max_allowed_amount,
      onPriceExceed: intent.on_price_exceed,
    },
    offer,
  )
  switch (verdict.kind) {
    case 'accept':
      bench.accepted = offer
      return 'go_on'
    case 'fail':
      failCart(bench, failureOf(verdict.code))
      return 'go_on'
    case 'reapprove':
      return await askAboutPrice(bench, offer)
    default:
      return verdict satisfies never
  }
}

async function askAboutPrice(bench: Bench, offer: Offer): Promise<'go_on' | 'asked'> {
  const { status } = bench.intent
  await bench.flush()
  // One question at a time: while a person is asked something else, this cart comes back later.
  if (status !== 'approved' && status !== 'queued') {
    await bench.rest(after(bench.act.now, 30))
    return 'asked'
  }
  const asked = await proposePrice(bench.act, bench.loaded, {
    cartId: bench.cartId,
    units: offer.lines.map(({ itemId, unitAmount }) => ({ itemId, unitAmount })),
    total: offer.total,
  })
  if (asked.ok) return 'asked'
  failCart(bench, asked.refusal)
  return 'go_on'
}

function stopAtSignIn(bench: Bench): void {
  const until = after(bench.act.now, timing.signInHours * 3600)
  bench.change({ status: 'awaiting_merchant_auth', stage: signInStage(until) }, 'cart.awaiting_merchant_auth')
  const { status } = bench.intent
  if (status !== 'approved' && status !== 'queued') return
  bench.changeIntent(
    {
      status: 'awaiting_merchant_auth',
      next_action: {
        type: 'merchant_sign_in',
        cart_id: bench.cartId,
        element: 'MerchantAuthHandoff',
        expires_at: until.toISOString(),
      },
    },
    { type: 'purchase_intent.awaiting_merchant_auth', cartId: bench.cartId },
  )
}

/** The intent waits for a sign-in only as long as one of its carts does. */
function leaveSignIn(bench: Bench): void {
  const { status } = bench.intent
  if (status !== 'awaiting_merchant_auth' && status !== 'merchant_auth_failed') return
  const others = bench.loaded.carts.filter(({ id }) => id !== bench.cartId)
  const isAwaited = others.some((cart) => cart.status === 'awaiting_merchant_auth')
  const isRunning = others.some((cart) => cart.status === 'created' || cart.status === 'in_progress')
  if (isAwaited || !isRunning) return
  bench.changeIntent({ status: 'approved', next_action: null }, { type: 'purchase_intent.approved' })
}
