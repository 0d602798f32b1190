import type { EffectRow } from './journal.ts'
import type { LockedCart } from './locked-cart.ts'
import type { Call, PaymentCard, PaymentRail, RailAnswer } from './port.ts'
import { referenceOf } from './requests.ts'
import { assertWithinCap } from './within-cap.ts'

/** The call that a journaled effect stands for, built from nothing but the journal and the card. */
export function railCall(
  locked: LockedCart,
  effect: EffectRow,
  card: { test_card: string | null; vault_token: string } | null,
  rail: PaymentRail,
): (call: Call) => Promise<RailAnswer> {
  const { key, request } = effect
  switch (effect.step) {
    case 'authorize':
    case 'issue_credential': {
      const { amount, currency, merchant, expires_at } = request
      if (amount === null || currency === null || merchant === null || expires_at === null || !card) {
        throw new Error('a hold without its terms')
      }
      assertWithinCap(locked.cart, BigInt(amount))
      const paid: PaymentCard = { testCard: card.test_card, vaultToken: card.vault_token }
      const terms = {
        key,
        card: paid,
        currency,
        merchant,
        reference: referenceOf(locked.intent, locked.cart),
      }
      if (effect.step === 'authorize')
        return (call) => rail.authorize({ ...terms, amount: BigInt(amount) }, call)
      return (call) =>
        rail.issueCredential({ ...terms, limit: BigInt(amount), expiresAt: new Date(expires_at) }, call)
    }
    case 'capture': {
      const amount = BigInt(request.amount ?? 0)
      assertWithinCap(locked.cart, amount)
      const reference = referenceAtRail(locked, effect)
      return (call) => rail.capture({ key, reference, amount }, call)
    }
    case 'void': {
      const reference = referenceAtRail(locked, effect)
      return (call) => rail.void({ key, reference }, call)
    }
    case 'revoke': {
      const reference = referenceAtRail(locked, effect)
      return (call) => rail.revoke({ key, reference }, call)
    }
    case 'refund': {
      const amount = BigInt(request.amount ?? 0)
      const reference = locked.hold(effect.attempt)?.capture_reference
      if (!reference) throw new Error('a refund of a capture that the rail has not named')
      return (call) => rail.refund({ key, reference, amount }, call)
    }
    case 'place':
      throw new Error('the rail places no orders')
    default:
      return effect.step satisfies never
  }
}

function referenceAtRail(locked: LockedCart, effect: EffectRow): string {
  const hold = locked.hold(effect.attempt)
  if (!hold) throw new Error(`a ${effect.step} of nothing`)
  return hold.reference
}
