import type { CrashPoint } from '../../../platform/faults/faults.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { cleanupStage, type FailureReason, failureOf, readSellers } from '../intents/public.ts'
import { applyLanded, applyPlaceMemory, failUnpaidOrder, type Landed, settleClosed } from './apply-answer.ts'
import { applyOffer, failCart } from './apply-offer.ts'
import { type Bench, type Journal, loadBench } from './bench.ts'
import type { EffectRefusal } from './cart-facts.ts'
import { type CartMeans, type Channels, meansFor } from './channels.ts'
import { decideStep } from './decide-step.ts'
import type { ClaimedCart } from './execution.sql.ts'
import { giveUpCart, isHopeless } from './give-up.ts'
import type { EffectRow } from './journal.ts'
import { journalInnerOrder, journalOuterOrder, journalRail } from './journal-effect.ts'
import type { Call, OfferAnswer } from './port.ts'
import { railCall } from './rail-call.ts'
import { heldBackSeconds, waitForRail } from './rail-wait.ts'
import { offerRequest, placeRequest } from './requests.ts'
import type { Step } from './step.ts'
import { timing } from './timing.ts'

/** What came home: the answer about an offer, or one that belongs to the journal. */
type Answered = { kind: 'offer'; answer: OfferAnswer } | Landed

/** A call to be made outside the transaction that journaled it. */
type Outbound = {
  kind: 'call'
  point:
    | 'offer'
    | 'ask'
    | 'close'
    | 'authorize'
    | 'issue'
    | 'place'
    | 'capture'
    | 'void'
    | 'revoke'
    | 'refund'
  run: (call: Call) => Promise<Answered>
}

type Turn = Outbound | { kind: 'over' }

const over: Turn = { kind: 'over' }

/** What a cart's turn came to, and the journal as it was committed with it. */
export type Taken = { readonly turn: Turn; readonly journal: Journal }

/**
 * Runs one cart until it must wait: lock, apply what came home, decide, journal, commit; call; and again. Every effect is committed
 * before its call leaves, and every answer is written only while the lease is ours.
 */
export async function runCart(step: StepContext, row: ClaimedCart, channels: Channels): Promise<void> {
  try {
    await takeTurns(step, row, channels)
  } catch (error) {
    if (!isHopeless(row, error) || !(await giveUpCart(step, row))) throw error
    step.log.error({ err: error, failures: row.step_failures + 1 }, 'cart: it cannot be bought and has ended')
  }
}

async function takeTurns(step: StepContext, row: ClaimedCart, channels: Channels): Promise<void> {
  const first = await step.transaction(async (act) =>
    takeTurn(await loadBench(act, row), null, { channels, lease: step.lease }),
  )
  await carryOn(step, row, channels, first)
}

/** From a turn that was committed: makes its call, takes the next, and so on. */
export async function carryOn(
  step: StepContext,
  row: ClaimedCart,
  channels: Channels,
  first: Taken,
): Promise<void> {
  for (let { turn, journal } = first; turn.kind === 'call'; ) {
    const landed = await send(step, turn)
    const known = journal
    const next = await step.transaction(async (act) =>
      takeTurn(await loadBench(act, row, known), landed, { channels, lease: step.lease }),
    )
    turn = next.turn
    journal = next.journal
  }
}

export type Means = { channels: Channels; lease: StepContext['lease'] }

async function send(step: StepContext, { point, run }: Outbound): Promise<Answered> {
  const before: CrashPoint = `${point}.before`
  await step.faults.at(before)
  step.lease.assertHeld(timing.longestCallMs + timing.marginMs)
  const answer = await run({ mode: step.tenant.mode, timeoutMs: timing.longestCallMs })
  await step.faults.at(`${point}.after`)
  return answer
}

/** One turn: applies what came home, then decides until something must leave or wait. */
export async function takeTurn(bench: Bench, landed: Answered | null, means: Means): Promise<Taken> {
  const turn = await decideTurn(bench, landed, means)
  return { turn, journal: { effects: bench.effects, holds: bench.holds } }
}

async function decideTurn(bench: Bench, landed: Answered | null, means: Means): Promise<Turn> {
  const found = meansFor(means.channels, bench.act.tenant.mode, bench.cart)
  // What is missing here decides nothing: whatever is held or under way goes on with those who have it.
  if (!found) throw new Error(`this worker has no means for a cart of ${bench.cart.channel}`)
  if (landed?.kind === 'offer' && (await applyOffer(bench, landed.answer)) === 'asked') return over
  if (landed !== null && landed.kind !== 'offer') await applyLanded(bench, landed)
  // Each inner step changes what the next decision sees; a bound keeps a mistake from spinning under the locks.
  for (let count = 0; count < 20; count++) {
    const { kind, channel } = found.channel
    const decided = decideStep(bench.facts({ payment: channel.payment, isInner: kind === 'inner' }))
    const turn = await takeStep(bench, decided, { ...means, ...found })
    if (turn !== null) return turn
  }
  throw new Error('a cart decides without getting on')
}

type Tools = Means & CartMeans

/** Does one step. Null: it was done here, decide again. */
async function takeStep(bench: Bench, step: Step, tools: Tools): Promise<Turn | null> {
  const circuit = tools.channels.circuit?.(bench.act.tenant.mode) ?? null
  const heldSeconds = heldBackSeconds(step, circuit)
  if (heldSeconds > 0) return (await waitForRail(bench, step, heldSeconds)) === 'waits' ? over : null
  switch (step.kind) {
    case 'offer':
      return await takeOffer(bench, tools)
    case 'send':
      return step.step === 'place'
        ? await sendPlace(bench, tools)
        : await sendRail(bench, { step: step.step, attempt: step.attempt }, tools)
    case 'ask':
    case 'close':
      return await ask(bench, step, tools)
    case 'settle':
      settleClosed(bench, effectOf(bench, step))
      return null
    case 'verify': {
      const hold = bench.hold(step.attempt)
      if (!hold) throw new Error('nothing to verify')
      const { kind, reference } = hold
      return await leave(bench, tools, 'ask', async (call) => ({
        kind: 'verified',
        attempt: step.attempt,
        answer: await tools.rail.get(kind, reference, call),
      }))
    }
    case 'succeed':
      bench.change(
        { status: 'succeeded', stage: null, past_no_return: true, completed_at: bench.act.now },
        'cart.succeeded',
      )
      return null
    case 'fail':
      await failUnpaidOrder(bench)
      failCart(bench, failureFor(step), step.code !== 'outcome_unknown')
      return null
    case 'fail_refused':
      failCart(bench, refusedOrder(step.refusal))
      return null
    case 'cancel':
      bench.change(
        { status: 'cancelled', stage: null, past_no_return: false, completed_at: bench.act.now },
        'cart.cancelled',
      )
      return null
    case 'wait':
      await bench.rest(step.until)
      return over
    case 'rest':
      if (bench.cart.stage === cleanupStage) bench.change({ stage: null })
      await bench.rest(null)
      return over
    default:
      return step satisfies never
  }
}

async function takeOffer(bench: Bench, tools: Tools): Promise<Turn | null> {
  const request = offerRequest(bench.intent, bench.cart)
  if (tools.channel.kind === 'inner') {
    // Read beside the catalog: an offer that is accepted is paid for in this very turn.
    const [answer] = await Promise.all([
      tools.channel.channel.offer(request, bench.act),
      bench.payingMethod(bench.intent.payment_method_id),
    ])
    return (await applyOffer(bench, answer)) === 'asked' ? over : null
  }
  const { channel } = tools.channel
  return await leave(bench, tools, 'offer', async (call) => ({
    kind: 'offer',
    answer: await channel.offer(request, call),
  }))
}

async function sendPlace(bench: Bench, tools: Tools): Promise<Turn | null> {
  const request = placeRequest(bench)
  if (tools.channel.kind === 'inner') {
    journalInnerOrder(bench, await tools.channel.channel.place(request, bench.act))
    return null
  }
  const { channel } = tools.channel
  if (isLeaseShort(tools)) return await yieldLease(bench)
  journalOuterOrder(bench, tools.lease)
  const { attempt } = request
  return await leave(bench, tools, 'place', async (call) => ({
    kind: 'place',
    attempt,
    answer: await channel.place(request, call),
  }))
}

async function sendRail(
  bench: Bench,
  step: { step: RailStep; attempt: number },
  tools: Tools,
): Promise<Turn | null> {
  if (isLeaseShort(tools)) return await yieldLease(bench)
  const card = await cardFor(bench, step)
  const refusal = await refusalBySeller(bench, step)
  if (refusal !== null) {
    failCart(bench, failureOf(refusal))
    return null
  }
  if (card === 'none') {
    failCart(bench, failureOf('payment_method_required'))
    return null
  }
  const effect = journalRail(bench, step, card?.id ?? null, tools.lease)
  const run = railCall(bench, effect, card, tools.rail)
  const { step: name, attempt } = step
  return await leave(bench, tools, points[name], async (call) => ({
    kind: 'rail',
    step: name,
    attempt,
    answer: await run(call),
  }))
}

async function ask(
  bench: Bench,
  step: Extract<Step, { kind: 'ask' | 'close' }>,
  tools: Tools,
): Promise<Turn | null> {
  const effect = effectOf(bench, step)
  const { key, attempt } = effect
  if (step.step !== 'place') {
    const railStep = step.step
    return await leave(bench, tools, step.kind, async (call) => ({
      kind: 'rail_remembered',
      step: railStep,
      attempt,
      answer: step.kind === 'ask' ? await tools.rail.ask(key, call) : await tools.rail.close(key, call),
    }))
  }
  const orderRow = effect.answer?.kind === 'placed' ? effect.answer.orderRow : null
  if (tools.channel.kind === 'inner') {
    bench.isAsked = true
    applyPlaceMemory(bench, effect, await tools.channel.channel.ask({ key, orderRow }, bench.act))
    return null
  }
  const { channel } = tools.channel
  return await leave(bench, tools, step.kind, async (call) => ({
    kind: 'place_remembered',
    attempt,
    answer:
      step.kind === 'ask'
        ? await channel.ask({ key, orderRow }, call)
        : await channel.close({ key, orderRow }, call),
  }))
}

/** Commits what was decided so far and goes outside, unless too little of the lease is left for a whole call. */
async function leave(
  bench: Bench,
  means: Means,
  point: Outbound['point'],
  run: Outbound['run'],
): Promise<Turn> {
  if (isLeaseShort(means)) return await yieldLease(bench)
  await bench.flush()
  return { kind: 'call', point, run }
}

function isLeaseShort({ lease }: Means): boolean {
  return lease.remainingMs() < timing.longestCallMs + 2 * timing.marginMs
}

async function yieldLease(bench: Bench): Promise<Turn> {
  await bench.rest(bench.act.now)
  bench.act.tx.wake('carts')
  return over
}

/**
 * Why no money is held for the merchant of ours: it is another by now, or its backend has not confirmed its endpoint. An offer of this
 * very look was compared already: this is for an authorization that was journaled before and never left.
 */
async function refusalBySeller(
  bench: Bench,
  { step }: { step: RailStep },
): Promise<'merchant_changed' | 'merchant_unavailable' | null> {
  const takesMoney = step === 'authorize' || step === 'issue_credential'
  if (!takesMoney || bench.accepted !== null || bench.cart.merchant_account_id === null) return null
  const ofCart = new Set<string>(bench.cart.items.map(({ id }) => id))
  const sold = await readSellers(
    bench.act,
    bench.intent.items.filter(({ id }) => ofCart.has(id)),
  )
  if (sold.some(({ hasChanged }) => hasChanged)) return 'merchant_changed'
  return sold.some(({ now }) => now?.awaits_confirmation) ? 'merchant_unavailable' : null
}

type RailStep = Exclude<EffectRow['step'], 'place'>

const points = {
  authorize: 'authorize',
  issue_credential: 'issue',
  capture: 'capture',
  void: 'void',
  revoke: 'revoke',
  refund: 'refund',
} as const satisfies Record<RailStep, Outbound['point']>

async function cardFor(bench: Bench, step: { step: RailStep; attempt: number }) {
  if (step.step !== 'authorize' && step.step !== 'issue_credential') return null
  const id =
    bench.effect(step.step, step.attempt)?.request.payment_method_id ?? bench.intent.payment_method_id
  return (await bench.payingMethod(id)) ?? 'none'
}

function effectOf(bench: Bench, named: { step: EffectRow['step']; attempt: number }): EffectRow {
  const effect = bench.effect(named.step, named.attempt)
  if (!effect) throw new Error(`there is no ${named.step} in the journal`)
  return effect
}

function failureFor({ code, isRetrySame, refusal }: Extract<Step, { kind: 'fail' }>): FailureReason {
  return failureOf(code, { ...(isRetrySame ? { retry_policy: 'same' } : {}), ...declineOf(refusal) })
}

function refusedOrder(refusal: EffectRefusal): FailureReason {
  const message = refusal.message === null ? {} : { merchant_message: refusal.message }
  return failureOf(orderFailures[refusal.code] ?? 'order_rejected_by_merchant', {
    ...message,
    ...declineOf(refusal),
  })
}

const orderFailures: Readonly<Record<string, FailureReason['code']>> = {
  order_rejected_by_merchant: 'order_rejected_by_merchant',
  order_confirmation_timeout: 'order_confirmation_timeout',
  payment_declined: 'payment_declined',
  product_out_of_stock: 'product_out_of_stock',
  price_changed: 'price_changed',
  merchant_changed: 'merchant_changed',
  merchant_unavailable: 'merchant_unavailable',
}

/** What the issuer said, and nothing of the rail's own vocabulary. */
function declineOf(refusal: EffectRefusal | null): { decline_code?: string } {
  return refusal?.declineCode ? { decline_code: refusal.declineCode } : {}
}
