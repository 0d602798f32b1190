import type { RailObject } from '../../rails/public.ts'
import { type CartState, changeHold, effectOf, holdOf } from '../cart-state.ts'
import type { EffectRow } from '../journal.ts'
import { correctCharge, noteClaim, takenOf } from '../place/stranger-charge.ts'
import { nothing, orderPaid, type RailEffect, referenceAtRail, settle } from './effect.ts'

/** Gives an authorization back to its card. */
export const voidHold: RailEffect<'void'> = {
  money: 'returns',
  make: (rail, input, call) => rail.void(input, call),
  request: () => nothing,
  input: (state, effect) => ({ key: effect.key, reference: referenceAtRail(state, effect) }),
  done: letGo,
}

/** Ends a credential: afterwards its merchant can authorize nothing more. */
export const revoke: RailEffect<'revoke'> = {
  money: 'returns',
  make: (rail, input, call) => rail.revoke(input, call),
  request: () => nothing,
  input: (state, effect) => ({ key: effect.key, reference: referenceAtRail(state, effect) }),
  done: letGo,
}

/** The rail says what came first: our release, or what the merchant has taken. */
function letGo(before: CartState, effect: EffectRow, object: RailObject): CartState {
  const { attempt } = effect
  const state = settle(before, effect, 'done', { kind: 'let_go' })
  const hold = holdOf(state, attempt)
  if (hold && (object.status === 'captured' || object.status === 'refunded'))
    return correctCharge(changeHold(state, attempt, takenOf(state, hold, object)), attempt, {
      object,
      news: [],
    })
  // The merchant was first: what it has authorized stands, and nobody can authorize any more.
  // guard revoked-after-the-merchant: a revoke that comes after the merchant has authorized releases nothing
  if (hold && object.status === 'claimed')
    return correctCharge(noteClaim(state, hold, object), attempt, { object, news: [] })
  const status = hold && state.now >= hold.expires_at ? 'expired' : 'voided'
  const released = changeHold(state, attempt, { status })
  // Where a capture was tried, its failure has already marked the order as failed; it is not marked as voided as well.
  return effectOf(state, 'capture', attempt) === null ? orderPaid(released, attempt, 'voided') : released
}
