import type { ActingContext } from '../../../contract/context.ts'
import type { CallPoint } from '../../../platform/faults/faults.ts'
import { shareKeyOf } from '../../../platform/limits/share-key.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import type { LoadedIntent } from '../intents/public.ts'
import type { ClaimedCart } from '../intents/writes.sql.ts'
import { outlastsLease, timing } from '../rails/public.ts'
import { advance } from './advance.ts'
import { carryOut } from './carry-out.ts'
import type { CartState } from './cart-state.ts'
import type { Channels } from './channels.ts'
import { CartWriter } from './commit-turn.ts'
import { giveUpCart, isHopeless } from './give-up.ts'
import { keepLease } from './keep-lease.ts'
import { loadCart } from './load-cart.ts'
import { makeCall } from './make-call.ts'
import type { Answered, Input, Next, Outbound } from './messages.ts'
import { keepingEvidence } from './place/keep-evidence.ts'

/** A cart as it was committed, and what is to be done next for it. */
export type Committed = { readonly state: CartState; readonly next: Next }

/** A bound keeps a bug from looping under the locks. */
const commandsMax = 40

/**
 * Runs one cart until it must wait: lock, advance by the last answer, commit; call; and again. Every effect is committed before its call
 * leaves, and every answer is written only while the lease is ours.
 */
export async function runCart(step: StepContext, row: ClaimedCart, channels: Channels): Promise<void> {
  try {
    const first = await look(step, row, channels, { kind: 'looked' }, null)
    await resume(step, row, channels, first)
  } catch (error) {
    if (!isHopeless(row, error) || !(await giveUpCart(step, row, channels))) throw error
    step.log.error({ err: error, failures: row.step_failures + 1 }, 'cart: it cannot be bought and has ended')
  }
}

/** Continues from what was committed: makes the call, advances by its answer, and so on. */
export async function resume(
  step: StepContext,
  row: ClaimedCart,
  channels: Channels,
  first: Committed,
): Promise<void> {
  for (let last = first; last.next.kind === 'call'; ) {
    const answer = await send(step, row, channels, { state: last.state, call: last.next.call })
    last = await look(step, row, channels, { kind: 'answered', answer }, last.state)
    if (last.state.isCorrected) await step.faults.at('charge.corrected')
    tellRefused(step, last.state, channels)
    tellOfCards(step, last)
  }
}

/** One transaction: what follows from the input. */
function look(
  step: StepContext,
  row: ClaimedCart,
  channels: Channels,
  input: Input,
  before: CartState | null,
): Promise<Committed> {
  return step.transaction(async (ctx) => {
    const means = channels.meansFor(ctx.tenant, step.lease.remainingMs())
    const { loaded, state } = await loadCart(ctx, row, means, before)
    return await takeTurn(ctx, { loaded, state, input }, channels)
  }, row.intent_id)
}

/** Advances a locked cart, carries out the commands that it needs, and queues all writes. */
export async function takeTurn(
  ctx: ActingContext,
  locked: { readonly loaded: LoadedIntent; readonly state: CartState; readonly input: Input },
  channels: Channels,
): Promise<Committed> {
  const writer = new CartWriter(ctx, locked.loaded, locked.state)
  let { state, next } = advance(locked.state, locked.input)
  for (let commands = 0; next.kind === 'command'; commands++) {
    if (commands === commandsMax) throw new Error('a cart needs commands without getting on')
    const done = await carryOut(ctx, writer, state, next.command, channels)
    ;({ state, next } = advance(state, { kind: 'done', done }))
  }
  // guard journalled-before-sent: a call is in the journal before it leaves
  await writer.commit(state, next)
  return { state, next }
}

/** The operator can look and pay in; until then no card is typed into a shop. */
function tellOfCards({ log }: StepContext, { state: { known, cart }, next }: Committed): void {
  if (known.foreignCharge)
    log.error(
      { charge: known.foreignCharge },
      'rail: a charge of an issued card was allowed that nobody here has allowed. No card is shown to a shop until an operator has looked: docs/live.md, prokura rail check',
    )
  if (next.kind !== 'rest') return
  if (known.card === 'stopped')
    log.error(
      'rail: a purchase waits, because no card is shown to a shop: prokura rail check says what to do',
    )
  else if (known.card === 'not_covered' || known.funds?.amount === null)
    log.warn(
      { currency: cart.currency },
      'rail: the balance of issued cards does not cover a purchase, or cannot be read; it waits. Pay in, and look at prokura rail check',
    )
}

/** Once it is committed, because a transaction may run several times. The log names no credential. */
function tellRefused({ log }: StepContext, { refusedMovements }: CartState, channels: Channels): void {
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
  channels: Channels,
  { state, call: asked }: { readonly state: CartState; readonly call: Outbound },
): Promise<Answered> {
  const { longestCallMs } = asked
  const { point, picturesOf } = circumstancesOf(asked, state)
  await step.faults.at(`${point}.before`)
  const call = { mode: step.tenant.mode, timeoutMs: longestCallMs, share: shareKeyOf(step.tenant) }
  const isLong = outlastsLease(longestCallMs)
  // guard call-inside-the-lease: no call leaves that could end after its lease
  step.lease.assertHeld(isLong ? timing.renewMs + timing.marginMs : longestCallMs + timing.marginMs)
  const run = (bounds: Parameters<typeof makeCall>[3]) =>
    makeCall(state, asked, { channels, sealer: step.sealer, faults: step.faults }, bounds)
  const make = picturesOf === null ? run : keepingEvidence(step, { row, attempt: picturesOf }, run)
  const answer = isLong ? await keepLease(step, row, (signal) => make({ ...call, signal })) : await make(call)
  await step.faults.at(`${point}.after`)
  return answer
}

/** The crash points around a call, and the attempt that a way of buying may hand over pictures of; null: there are no pages. */
function circumstancesOf(
  call: Outbound,
  { cart }: CartState,
): { readonly point: CallPoint; readonly picturesOf: number | null } {
  switch (call.kind) {
    case 'rail':
      return { point: call.step, picturesOf: null }
    case 'rail_memory':
      return { point: call.how, picturesOf: null }
    case 'reading':
    case 'funds':
      return { point: 'ask', picturesOf: null }
    case 'offer':
      return { point: 'offer', picturesOf: cart.attempt_number }
    case 'place':
      return { point: 'place', picturesOf: call.attempt }
    case 'place_memory':
      return { point: call.how, picturesOf: call.attempt }
    default:
      return call satisfies never
  }
}
