import type { CrashPoint } from '../../../platform/faults/faults.ts'
import { shareKeyOf } from '../../../platform/limits/share-key.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { cleanupStage, failureOf } from '../intents/public.ts'
import type { ClaimedCart } from '../intents/writes.sql.ts'
import { applyOutcome, applyPlaceMemory, failUnpaidOrder, settleClosed } from './apply-answer.ts'
import type { Channels } from './channels.ts'
import { decideStep } from './decide-step.ts'
import { failureFor, refusedOrder } from './failures.ts'
import { giveUpCart, isHopeless } from './give-up.ts'
import { journalHandOver, journalNativeOrder, journalOrder, journalRail } from './journal-effect.ts'
import { keepLease } from './keep-lease.ts'
import { type Journal, type LockedCart, lockCart } from './locked-cart.ts'
import { loadNews } from './movements/note-refunds.ts'
import { native } from './native/native.ts'
import { nativeOfferRequest, nativePlaceRequest } from './native/requests.ts'
import {
  type Answered,
  type Deps,
  depsOf,
  isLeaseShort,
  leave,
  type Next,
  type Outbound,
  outlastsLease,
  over,
  type Tools,
  yieldLease,
} from './next-call.ts'
import { applyOffer, failCart } from './offer/apply-offer.ts'
import { refusalBySeller } from './offer/refusal-by-seller.ts'
import { giveUpRoute, routeAnew } from './offer/reroute.ts'
import { readMoreHosts } from './offer/route-cart.ts'
import { signInAnew } from './offer/sign-in.ts'
import { acceptToken, applyCharged, noteOrder } from './place/apply-handed-over.ts'
import { keepingEvidence } from './place/keep-evidence.ts'
import { placeAtStranger } from './place/place-at-stranger.ts'
import { noteCharge } from './place/stranger-charge.ts'
import { cardGrant } from './rail/card-grant.ts'
import { closableCall, railCall } from './rail/rail-call.ts'
import { cardFor, effectOf, type RailStep, railPoints } from './rail/rail-steps.ts'
import { heldBackSeconds, waitForRail } from './rail/rail-wait.ts'
import { isRequestSent, offerRequest, placeRequest } from './requests.ts'
import type { Step } from './step.ts'
import { timing } from './timing.ts'

/** The next thing to do for a cart, and its journal as it was committed with that. */
export type Committed = {
  readonly next: Next
  readonly journal: Journal
  readonly isCorrected: boolean
  /** How many reports of the rail were refused. */
  readonly refusedMovements: number
}

/**
 * Runs one cart until it must wait: lock, apply the last answer, decide, journal, commit; call; and again. Every effect is committed
 * before its call leaves, and every answer is written only while the lease is ours.
 */
export async function runCart(step: StepContext, row: ClaimedCart, channels: Channels): Promise<void> {
  try {
    await advanceUntilItWaits(step, row, channels)
  } catch (error) {
    if (!isHopeless(row, error) || !(await giveUpCart(step, row))) throw error
    step.log.error({ err: error, failures: row.step_failures + 1 }, 'cart: it cannot be bought and has ended')
  }
}

async function advanceUntilItWaits(step: StepContext, row: ClaimedCart, channels: Channels): Promise<void> {
  const first = await step.transaction(
    async (ctx) => advance(await lockCart(ctx, row), null, depsOf(step, channels)),
    row.intent_id,
  )
  await resume(step, row, channels, first)
}

/** Continues from what was committed: makes the call, advances by its answer, and so on. */
export async function resume(
  step: StepContext,
  row: ClaimedCart,
  channels: Channels,
  first: Committed,
): Promise<void> {
  for (let committed = first; committed.next.kind === 'call'; ) {
    const outcome = await send(step, row, committed.next)
    const { journal } = committed
    committed = await step.transaction(
      async (ctx) => advance(await lockCart(ctx, row, journal), outcome, depsOf(step, channels)),
      row.intent_id,
    )
    if (committed.isCorrected) await step.faults.at('charge.corrected')
    tellRefused(step, committed, channels)
  }
}

/** Once it is committed, because a transaction may run several times. The log names no credential. */
function tellRefused({ log }: StepContext, { refusedMovements }: Committed, channels: Channels): void {
  if (refusedMovements === 0) return
  channels.countMovements('refused', refusedMovements)
  log.warn(
    { refused: refusedMovements },
    'rail: it reports a refund above what was captured; it is not counted',
  )
}

async function send(
  step: StepContext,
  row: ClaimedCart,
  { point, run, longestCallMs, picturesOf }: Outbound,
): Promise<Answered> {
  const before: CrashPoint = `${point}.before`
  await step.faults.at(before)
  const call = { mode: step.tenant.mode, timeoutMs: longestCallMs, share: shareKeyOf(step.tenant) }
  const isLong = outlastsLease(longestCallMs)
  // guard call-inside-the-lease: no call leaves that could end after its lease
  step.lease.assertHeld(isLong ? timing.renewMs + timing.marginMs : longestCallMs + timing.marginMs)
  const make = picturesOf === null ? run : keepingEvidence(step, { row, attempt: picturesOf }, run)
  const answer = isLong ? await keepLease(step, row, (signal) => make({ ...call, signal })) : await make(call)
  await step.faults.at(`${point}.after`)
  return answer
}

/** One turn: applies the answer, then decides until a call must be made or the cart must wait. */
export async function advance(locked: LockedCart, outcome: Answered | null, deps: Deps): Promise<Committed> {
  const next = await decideNext(locked, outcome, deps)
  const { journal, isCorrected, refusedMovements } = locked
  return { next, journal, isCorrected, refusedMovements }
}

async function decideNext(locked: LockedCart, outcome: Answered | null, deps: Deps): Promise<Next> {
  const { channel: before } = locked.cart
  if (outcome?.kind === 'elsewhere') await giveUpRoute(locked, outcome, deps)
  if (outcome?.kind === 'offer' && (await applyOffer(locked, outcome.answer)) === 'asked') return over
  if (outcome === null) await routeAnew(locked, deps)
  const found = deps.channels.meansFor(locked.ctx.tenant, locked.cart)
  // Means that are missing here decide nothing: the cart continues in a process that has them.
  if (!found && locked.cart.channel !== before) return await yieldLease(locked)
  // guard missing-means-decide-nothing: a worker without the means ends no purchase
  if (!found) throw new Error(`this worker has no means for a cart of ${locked.cart.channel}`)
  if (outcome !== null && outcome.kind !== 'offer' && outcome.kind !== 'elsewhere')
    await applyOutcome(locked, outcome)
  await loadNews(locked)
  if (found.way.kind === 'handed_over') await noteOrder(locked, found.way.orderOf)
  // Each inner step changes what the next decision sees; a bound keeps a bug from looping under the locks.
  for (let count = 0; count < 20; count++) {
    const { kind, payment, hasStrangers } = found.way
    const decided = decideStep(locked.facts({ payment, hasStrangers, isNative: kind === 'native' }))
    const next = await takeStep(locked, decided, { ...deps, ...found })
    if (next !== null) return next
  }
  throw new Error('a cart decides without getting on')
}

/** Takes one step. Null: it was done here, so decide again. */
async function takeStep(locked: LockedCart, step: Step, tools: Tools): Promise<Next | null> {
  const heldSeconds = heldBackSeconds(step, tools.circuit)
  if (heldSeconds > 0) return (await waitForRail(locked, step, heldSeconds)) === 'waits' ? over : null
  switch (step.kind) {
    case 'offer':
      return await takeOffer(locked, tools)
    case 'send':
      return step.step === 'place'
        ? await sendPlace(locked, tools)
        : await sendRail(locked, { step: step.step, attempt: step.attempt }, tools)
    case 'ask':
    case 'close':
      return await ask(locked, step, tools)
    case 'settle':
      settleClosed(locked, effectOf(locked, step))
      return null
    case 'verify': {
      const hold = locked.hold(step.attempt)
      if (!hold) throw new Error('nothing to verify')
      // A person has said that it was placed: what the rail says is shown on its order.
      if (locked.cart.status === 'succeeded') await placeAtStranger(locked, tools.way)
      const { kind, reference } = hold
      const { news } = locked
      return await leave(locked, tools, 'ask', async (call) => ({
        kind: 'verified',
        attempt: step.attempt,
        answer: await tools.rail.get(kind, reference, call),
        news,
      }))
    }
    case 'placed':
      applyCharged(locked, step.attempt)
      return null
    case 'succeed':
      await succeed(locked, tools)
      return null
    case 'fail':
      await failUnpaidOrder(locked)
      failCart(locked, failureFor(step), step.code !== 'outcome_unknown')
      return null
    case 'fail_refused':
      failCart(locked, refusedOrder(step.refusal))
      return null
    case 'cancel':
      locked.change(
        { status: 'cancelled', stage: null, past_no_return: false, completed_at: locked.ctx.now },
        'cart.cancelled',
      )
      return null
    case 'sign_in_anew':
      signInAnew(locked)
      return null
    case 'wait':
      await locked.rest(step.until)
      return over
    case 'rest':
      // A person has said that it was placed.
      if (locked.cart.status === 'succeeded') await placeAtStranger(locked, tools.way)
      if (locked.cart.stage === cleanupStage) locked.change({ stage: null })
      await locked.rest(null)
      return over
    default:
      return step satisfies never
  }
}

async function succeed(locked: LockedCart, { way }: Tools): Promise<void> {
  if (way.hasStrangers) noteCharge(locked)
  locked.change(
    { status: 'succeeded', stage: null, past_no_return: true, completed_at: locked.ctx.now },
    'cart.succeeded',
  )
  await placeAtStranger(locked, way)
  await loadNews(locked)
}

async function takeOffer(locked: LockedCart, tools: Tools): Promise<Next | null> {
  // A retry comes here without being begun again.
  if (!isRequestSent(locked.intent, locked.cart)) {
    failCart(locked, failureOf('merchant_unsupported'))
    return null
  }
  if (tools.way.kind === 'handed_over') {
    acceptToken(locked)
    return null
  }
  if (tools.way.kind === 'native') {
    // Read beside the catalog: an offer that is accepted is paid in this very turn, and ordered for this buyer in the next one.
    const [, answer] = await Promise.all([
      locked.readPayer(),
      native.offer(nativeOfferRequest(locked), locked.ctx),
    ])
    return (await applyOffer(locked, answer)) === 'asked' ? over : null
  }
  const { channel, longestCallMs } = tools.way
  const request = { ...offerRequest(locked, await locked.buyer()), ...(await ofPages(locked, tools)) }
  return await leave(
    locked,
    tools,
    'offer',
    async (call) => {
      const answer = await channel.offer(request, call)
      return answer.kind === 'elsewhere' ? answer : { kind: 'offer', answer }
    },
    { longestCallMs, picturesOf: locked.cart.attempt_number },
  )
}

async function sendPlace(locked: LockedCart, tools: Tools): Promise<Next | null> {
  if (tools.way.kind === 'native') {
    journalNativeOrder(locked, await native.place(nativePlaceRequest(locked), locked.ctx))
    return null
  }
  if (tools.way.kind === 'handed_over') {
    journalHandOver(locked)
    return null
  }
  const { channel, form, longestCallMs } = tools.way
  if (isLeaseShort(tools, longestCallMs)) return await yieldLease(locked)
  const attempt = locked.cart.attempt_number
  const paid = { attempt, form, grant: cardGrant(locked, tools.channels.grantCard, tools.faults) }
  const placed = placeRequest(locked, await locked.buyer(), paid)
  const request = { ...placed, ...(await ofPages(locked, tools)) }
  journalOrder(locked, { lease: tools.lease, longestCallMs })
  return await leave(
    locked,
    tools,
    'place',
    async (call) => ({ kind: 'place', attempt, answer: await channel.place(request, call) }),
    { longestCallMs, picturesOf: attempt },
  )
}

/** What only a way of buying needs that goes through pages. */
async function ofPages(
  { ctx, cart }: LockedCart,
  { way }: Tools,
): Promise<{ moreHosts?: readonly string[] }> {
  return way.form === 'card' ? { moreHosts: await readMoreHosts(ctx, cart) } : {}
}

async function sendRail(
  locked: LockedCart,
  step: { step: RailStep; attempt: number },
  tools: Tools,
): Promise<Next | null> {
  if (isLeaseShort(tools)) return await yieldLease(locked)
  const card = await cardFor(locked, step)
  const refusal = await refusalBySeller(locked, step)
  if (refusal !== null) {
    failCart(locked, failureOf(refusal))
    return null
  }
  if (card === 'none') {
    failCart(locked, failureOf('payment_method_required'))
    return null
  }
  const { form = null } = tools.way
  const effect = journalRail(locked, { ...step, form }, card?.id ?? null, tools.lease)
  const run = railCall(locked, effect, card, tools.rail)
  const { step: name, attempt } = step
  return await leave(locked, tools, railPoints[name], async (call) => ({
    kind: 'rail',
    step: name,
    attempt,
    answer: await run(call),
  }))
}

async function ask(
  locked: LockedCart,
  step: Extract<Step, { kind: 'ask' | 'close' }>,
  tools: Tools,
): Promise<Next | null> {
  const effect = effectOf(locked, step)
  const { attempt } = effect
  if (step.step !== 'place') {
    return await askRail(locked, { ...step, step: step.step }, tools)
  }
  if (tools.way.kind === 'native') {
    const orderRow = effect.answer?.kind === 'placed' ? effect.answer.orderRow : null
    locked.isAsked = true
    applyPlaceMemory(locked, effect, await native.read(orderRow, locked.ctx))
    return null
  }
  if (tools.way.kind === 'handed_over') throw new Error('nobody is asked about a credential but the rail')
  const { channel, form, longestCallMs } = tools.way
  const sent = placeRequest(locked, await locked.buyer(), { attempt, form })
  return await leave(
    locked,
    tools,
    step.kind,
    async (call) => ({
      kind: 'place_remembered',
      attempt,
      answer: step.kind === 'ask' ? await channel.ask(sent, call) : await channel.close(sent, call),
    }),
    { longestCallMs, picturesOf: attempt },
  )
}

async function askRail(
  locked: LockedCart,
  { kind, step, attempt }: { kind: 'ask' | 'close'; step: RailStep; attempt: number },
  tools: Tools,
): Promise<Next> {
  const { rail } = tools
  const effect = effectOf(locked, { step, attempt })
  const { form, offer } = effect.request
  const isNeeded = kind === 'close' || form === 'card' || offer?.seller !== undefined
  const sent = isNeeded ? await closableCall(locked, effect) : null
  return await leave(locked, tools, kind, async (call) => ({
    kind: 'rail_remembered',
    step,
    attempt,
    answer:
      kind === 'close' && sent !== null
        ? await rail.close(sent, call)
        : await rail.ask(effect.key, call, sent ?? undefined),
  }))
}
