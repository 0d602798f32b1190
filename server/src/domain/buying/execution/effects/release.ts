import type { RailObject } from '../../rails/public.ts'
import { type CartState, changeHold, effectOf, holdOf, journaled } from '../cart-state.ts'
import { settleHold } from '../follow-hold.ts'
import { closeCard, withCharges } from '../funding/chargeable-card.ts'
import { changeFunding, fundingOf } from '../funding/funding.ts'
import type { EffectRow } from '../journal.ts'
import { correctCharge, noteClaim, takenOf, withinLimit } from '../place/stranger-charge.ts'
import { nothing, orderPaid, type RailEffect, referenceAtRail, renewed, settle } from './effect.ts'

/** Gives an authorization back to its card. */
export const voidHold: RailEffect<'void'> = {
  money: 'returns',
  make: (rail, input, call) => rail.void(input, call),
  request: () => nothing,
  input: (state, effect) => ({ key: effect.key, reference: referenceAtRail(state, effect) }),
  done(state, effect, object) {
    const funding = fundingOf(state, effect.attempt)
    if (funding === null) return letGo(state, effect, object)
    const status = state.now >= funding.expires_at ? 'expired' : 'voided'
    const released = settle(state, effect, 'done', { kind: 'let_go' })
    return changeFunding(
      settleHold(released, effect, { status: 'released', endsAt: funding.expires_at }),
      effect.attempt,
      { status },
    )
  },
  refused: (state, effect) =>
    fundingOf(state, effect.attempt) === null
      ? state
      : renewed(state, journaled(state, effect.step, effect.attempt)),
}

/** Ends a credential: afterwards its merchant can authorize nothing more. */
export const revoke: RailEffect<'revoke'> = {
  money: 'returns',
  make: (rail, input, call) => rail.revoke(input, call),
  begin: (state, attempt) => closeCard(state, attempt),
  request: () => nothing,
  input: (state, effect) => ({ key: effect.key, reference: referenceAtRail(state, effect) }),
  done: letGo,
}

/** The rail says what came first: our release, or what the merchant has taken. */
function letGo(before: CartState, effect: EffectRow, told: RailObject): CartState {
  const { attempt } = effect
  const { state, object } = withinLimit(
    withCharges(settle(before, effect, 'done', { kind: 'let_go' }), told),
    attempt,
    told,
  )
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
  // A shop may have let go of what it had authorized, after its cart was bought: then the cart costs nothing.
  const released = correctCharge(changeHold(state, attempt, { status }), attempt, { object, news: [] })
  // Where a capture was tried, its failure has already marked the order as failed; it is not marked as voided as well.
  return effectOf(state, 'capture', attempt) === null ? orderPaid(released, attempt, 'voided') : released
}
