import type { ActingContext, Tenant } from '../../../contract/context.ts'
import { after } from '../../../core/backoff.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { reportPaymentToken } from '../../buying/payment-tokens/public.ts'
import {
  askedForNobody,
  type ClosableCall,
  type NamedRail,
  type PaymentRail,
  type Call as RailCall,
  type RailObject,
  type Rails,
  type SentCall,
  sentForNobody,
} from '../../buying/rails/public.ts'
import { attributeOrder } from '../../discovery/attributions/public.ts'
import { createOrderInTx, markOrderPaid, readOrder } from '../../trade/orders/public.ts'
import { orderByPromotionUses } from '../promotions/public.ts'
import { decideSale, type SaleStep } from './decide-sale.ts'
import { holdOf, noCall, type RailReply, readReply } from './read-reply.ts'
import { callKey, openToken, type SaleFailure, type SaleRow } from './sale.ts'
import { type ClaimedSale, journalSale, lockClaimedSale, restSale } from './sales.sql.ts'

/** How many milliseconds one call may take; it ends inside the lease. */
const longestCallMs = 8_000
const marginMs = 1_000

type Outbound = (call: RailCall) => Promise<RailReply>

/**
 * Runs one sale until it must wait: lock, apply the last answer, decide, commit; call; and again. Every call is committed before it
 * leaves, and every answer is written only while the lease is ours.
 */
export async function runSale(step: StepContext, claimed: ClaimedSale, rails: Rails): Promise<void> {
  for (let said: RailReply | null = null; ; ) {
    const reply: RailReply | null = said
    const send: Outbound | null = await step.transaction((ctx) =>
      advance(ctx, claimed, reply, { rails, lease: step.lease }),
    )
    if (send === null) return
    await step.faults.at('sale.before')
    step.lease.assertHeld(longestCallMs + marginMs)
    said = await send({ mode: step.tenant.mode, timeoutMs: longestCallMs })
    await step.faults.at('sale.after')
  }
}

type Means = { readonly rails: Rails } & Pick<StepContext, 'lease'>

async function advance(
  ctx: ActingContext,
  claimed: ClaimedSale,
  said: RailReply | null,
  means: Means,
): Promise<Outbound | null> {
  let sale = expectHeld(await ctx.tx.rows(lockClaimedSale(claimed)))
  if (said) sale = await apply(ctx, sale, said)
  for (;;) {
    const order = sale.state === 'ordered' ? await readOrder(ctx.tx, ctx.tenant, sale.order_id) : null
    const step = decideSale(sale, order, ctx.now)
    switch (step.kind) {
      case 'begin':
        sale = {
          ...sale,
          ...noCall,
          state: step.call === 'capture' ? 'capturing' : 'releasing',
          call: step.call,
          call_amount: step.amount,
        }
        continue
      case 'give_up':
        sale = await giveUp(ctx, sale, step.failure)
        continue
      case 'wait':
        return rest(ctx, sale, step.until)
      case 'rest':
        return rest(ctx, sale, null)
      case 'send':
      case 'ask':
      case 'close':
      case 'verify':
        return call(ctx, sale, step, means)
      default:
        return step satisfies never
    }
  }
}

function rest(ctx: ActingContext, sale: SaleRow, dueAt: Date | null): null {
  // The purchase that pays learns what became of its token.
  if (sale.instrument.kind === 'payment_token') reportPaymentToken(ctx, sale.instrument.token)
  ctx.tx.write(restSale({ ...sale, due_at: dueAt, updated_at: ctx.now }))
  return null
}

/** Commits the call that is made next; the circuit breaker before the rail may hold it back. */
function call(
  ctx: ActingContext,
  sale: SaleRow,
  step: Extract<SaleStep, { kind: 'send' | 'ask' | 'close' | 'verify' }>,
  { rails, lease }: Means,
): Outbound | null {
  const { name, rail, circuit } = railOf(ctx, sale, rails)
  const heldSeconds = circuit?.reserve() ?? 0
  if (heldSeconds > 0) return rest(ctx, sale, after(ctx.now, heldSeconds))
  if (step.kind !== 'send') {
    ctx.tx.write(journalSale({ ...sale, updated_at: ctx.now }))
    return questionOf(ctx, sale, step.kind, rail)
  }
  const waitMs = Math.max(0, lease.remainingMs()) + longestCallMs + marginMs
  const sent: SaleRow = {
    ...sale,
    rail: name,
    tries: sale.tries + 1,
    may_have_left: true,
    heard: null,
    sent_at: ctx.now,
    not_before: new Date(ctx.now.getTime() + waitMs),
    updated_at: ctx.now,
  }
  ctx.tx.write(journalSale(sent))
  return changeOf(ctx, sent, rail)
}

/** The rail that holds the money. In a process without it nothing is decided: another one may have it. */
function railOf({ tenant }: ActingContext, sale: SaleRow, rails: Rails): NamedRail {
  const paid = sale.rail === null ? firstRail(tenant, sale, rails) : rails.named(tenant, sale.rail)
  if (paid === null) throw new Error(`this worker has no rail ${sale.rail} to sell with`)
  return paid
}

/** A token is charged where it was issued. */
function firstRail(tenant: Tenant, { instrument }: SaleRow, rails: Rails): NamedRail | null {
  switch (instrument.kind) {
    case 'shared_payment_token':
      return rails.shared.of(tenant)
    case 'payment_token':
      return rails.named(tenant, instrument.token.rail ?? null)
    case 'test_card':
      return rails.of(tenant)
    default:
      return instrument satisfies never
  }
}

function questionOf(
  ctx: ActingContext,
  sale: SaleRow,
  kind: 'ask' | 'close' | 'verify',
  rail: PaymentRail,
): Outbound {
  switch (kind) {
    case 'ask': {
      const sent = sentCall(ctx, sale)
      return async (call) => ({
        kind: 'asked',
        answer: askedForNobody(await rail.ask(sent.input.key, call, sent)),
      })
    }
    case 'close': {
      const sent = takingCall(ctx, sale)
      return async (call) => ({ kind: 'asked', answer: await rail.close(sent, call) })
    }
    case 'verify':
      return async (call) => ({
        kind: 'verified',
        answer: await rail.get('authorization', referenceOf(sale), call),
      })
    default:
      return kind satisfies never
  }
}

function changeOf(ctx: ActingContext, sale: SaleRow, rail: PaymentRail): Outbound {
  const sent = sentCall(ctx, sale)
  return async (call) => ({ kind: 'sent', answer: sentForNobody(await send(rail, sent, call)) })
}

type TakingCall = Extract<ClosableCall, { step: 'authorize' | 'capture' | 'charge_credential' }>
type ReleasingCall = Extract<SentCall, { step: 'void' }>

function send(rail: PaymentRail, { step, input }: TakingCall | ReleasingCall, call: RailCall) {
  switch (step) {
    case 'authorize':
      return rail.authorize(input, call)
    case 'charge_credential':
      return rail.chargeCredential(input, call)
    case 'capture':
      return rail.capture(input, call)
    case 'void':
      return rail.void(input, call)
    default:
      return step satisfies never
  }
}

/** The call of a sale, which is the same whenever it is made. */
function sentCall(ctx: ActingContext, sale: SaleRow): TakingCall | ReleasingCall {
  if (sale.call !== 'void') return takingCall(ctx, sale)
  return { step: 'void', input: { key: callKey(sale), reference: referenceOf(sale) } }
}

function takingCall(ctx: ActingContext, sale: SaleRow): TakingCall {
  const key = callKey(sale)
  const amount = sale.call_amount
  if (amount === null || amount > sale.amount) throw new Error('a sale was about to take more than its price')
  if (sale.call === 'capture')
    return { step: 'capture', input: { key, reference: referenceOf(sale), amount, currency: sale.currency } }
  const { instrument, terms } = sale
  const merchant = terms.merchant.domain ?? terms.merchant.slug ?? sale.account_id
  const charge = { key, amount, currency: sale.currency, merchant, reference: `sale ${sale.order_id}` }
  switch (instrument.kind) {
    case 'payment_token': {
      const { credentialReference: credential, acceptor } = instrument.token
      return { step: 'charge_credential', input: { ...charge, credential, merchant: acceptor } }
    }
    case 'shared_payment_token': {
      const credential = openToken(ctx.sealer, sale).reveal()
      return { step: 'charge_credential', input: { ...charge, credential } }
    }
    case 'test_card': {
      const card = { testCard: instrument.card, vaultToken: '' }
      return { step: 'authorize', input: { ...charge, card } }
    }
    default:
      return instrument satisfies never
  }
}

function referenceOf({ hold_reference: reference }: SaleRow): string {
  if (reference === null) throw new Error('a sale without a hold')
  return reference
}

/** Writes what an answer means, and what follows for the order. */
async function apply(ctx: ActingContext, sale: SaleRow, said: RailReply): Promise<SaleRow> {
  const outcome = readReply(sale, said, ctx.now)
  switch (outcome.kind) {
    case 'later':
      return { ...sale, ...outcome.changes }
    case 'refused':
      return giveUp(ctx, sale, outcome.failure)
    case 'done':
      return succeed(ctx, sale, outcome.object)
    default:
      return outcome satisfies never
  }
}

async function succeed(ctx: ActingContext, sale: SaleRow, object: RailObject): Promise<SaleRow> {
  switch (sale.call) {
    case 'charge': {
      if (object.status !== 'authorized')
        return giveUp(ctx, sale, { code: object.status, decline_code: null })
      const held: SaleRow = { ...sale, ...noCall, ...holdOf(object, sale, ctx.now), state: 'ordered' }
      if (await isOfferOver(ctx, held))
        return {
          ...held,
          state: 'undoing',
          call: 'void',
          failure: { code: 'offer_ended', decline_code: null },
        }
      placeOrder(ctx, held)
      return held
    }
    case 'capture': {
      const { capturedAmount: captured_amount, captureReference: reference } = object
      const { rail } = sale
      if (reference === null || rail === null) throw new Error('a capture that its rail has not named')
      await markOrderPaid(ctx, sale.order_id, 'captured', { reference, rail })
      return { ...sale, ...noCall, state: 'captured', captured_amount, capture_reference: reference }
    }
    case 'void': {
      if (object.status === 'captured') throw new Error('a sale was captured that is being released')
      if (sale.state === 'undoing') return { ...sale, ...noCall, state: 'declined' }
      // A capture that was refused has told the order already.
      if (sale.failure === null) await markOrderPaid(ctx, sale.order_id, 'voided')
      return { ...sale, ...noCall, state: sale.failure === null ? 'released' : 'unpaid' }
    }
    case null:
      throw new Error('an answer to no call')
    default:
      return sale.call satisfies never
  }
}

/** Nothing was taken and nothing will be. After a capture was refused the hold is released, and the order must not stay confirmed. */
async function giveUp(ctx: ActingContext, sale: SaleRow, failure: SaleFailure): Promise<SaleRow> {
  if (sale.call === 'charge') return { ...sale, ...noCall, state: 'declined', failure }
  if (sale.call !== 'capture') throw new Error('a release was given up')
  await markOrderPaid(ctx, sale.order_id, 'failed')
  return { ...sale, ...noCall, state: 'releasing', call: 'void', failure }
}

/** Ties the uses of promotions to the order; true: one is held no longer, because the payment took longer than that. */
async function isOfferOver(ctx: ActingContext, { terms, order_id: orderId }: SaleRow): Promise<boolean> {
  const ids = terms.promotionUses ?? [terms.promotionUse ?? []].flat()
  return ids.length > 0 && !(await orderByPromotionUses(ctx, ctx.tenant, { ids, orderId }))
}

/** The order that the money is held for. It awaits its merchant. */
function placeOrder(ctx: ActingContext, sale: SaleRow): void {
  const { terms } = sale
  createOrderInTx(ctx, {
    id: sale.order_id,
    merchant: { accountId: sale.account_id, ...terms.merchant },
    purchase: null,
    buyer: terms.buyer,
    quoteId: null,
    currency: sale.currency,
    lineItems: terms.lineItems,
    amounts: {
      subtotal: BigInt(terms.amounts.subtotal),
      fulfillment: BigInt(terms.amounts.fulfillment),
      tax: BigInt(terms.amounts.tax),
      discount: BigInt(terms.amounts.discount),
    },
    taxBasisPoints: terms.taxBasisPoints,
    customer: terms.customer,
    shippingAddress: terms.shippingAddress,
  })
  const { attributionToken: token } = terms
  if (token) attributeOrder(ctx, { token, orderId: sale.order_id })
}
