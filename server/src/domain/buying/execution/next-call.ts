import type { Faults } from '../../../platform/faults/faults.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import type { Outcome } from './apply-answer.ts'
import type { Channels, Means } from './channels.ts'
import type { LockedCart } from './locked-cart.ts'
import type { ChannelCall, Elsewhere, OfferAnswer } from './port.ts'
import { timing } from './timing.ts'

/** The answer of a call: about an offer, or one that belongs to the journal. */
export type Answered = { kind: 'offer'; answer: OfferAnswer } | Elsewhere | Outcome

/** A call that is made outside the transaction that journaled it. */
export type Outbound = {
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
  run: (call: ChannelCall) => Promise<Answered>
} & CallTerms

/** `picturesOf`: the attempt that a way of buying may hand over pictures of; null: there are no pages. */
type CallTerms = { longestCallMs: number; picturesOf: number | null }

export type Next = Outbound | { kind: 'over' }

export const over: Next = { kind: 'over' }

export type Deps = { channels: Channels; lease: StepContext['lease']; faults: Faults }

export function depsOf({ lease, faults }: StepContext, channels: Channels): Deps {
  return { channels, lease, faults }
}

/** What a step is taken with. */
export type Tools = Deps & Means

/** Whether a call may take longer than a whole lease, which is renewed then. */
export function outlastsLease(longestCallMs: number): boolean {
  return longestCallMs + 2 * timing.marginMs > timing.leaseSeconds * 1000
}

/** Commits what was decided so far and makes the call, unless too little of the lease is left for a whole call. */
export async function leave(
  locked: LockedCart,
  deps: Deps,
  point: Outbound['point'],
  run: Outbound['run'],
  terms: CallTerms = { longestCallMs: timing.longestCallMs, picturesOf: null },
): Promise<Next> {
  if (isLeaseShort(deps, terms.longestCallMs)) return await yieldLease(locked)
  // guard journalled-before-sent: a call is in the journal before it leaves
  await locked.flush()
  return { kind: 'call', point, run, ...terms }
}

export function isLeaseShort({ lease }: Deps, longestCallMs: number = timing.longestCallMs): boolean {
  const neededMs = outlastsLease(longestCallMs) ? 2 * timing.renewMs : longestCallMs
  return lease.remainingMs() < neededMs + 2 * timing.marginMs
}

export async function yieldLease(locked: LockedCart): Promise<Next> {
  await locked.rest(locked.ctx.now)
  locked.ctx.tx.wake('carts')
  return over
}
