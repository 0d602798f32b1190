import { cardOfMethod } from '../../../buyers/payment-methods/public.ts'
import type { EffectRow } from '../journal.ts'
import type { LockedCart } from '../locked-cart.ts'
import { referenceOf } from '../requests.ts'
import type { Call, ClosableCall, PaymentRail, RailAnswer, RailCapture } from './port.ts'

type Card = { test_card: string | null; vault_token: string }

/** The call of a journaled effect, built from nothing but the journal and the card. */
export function railCall(
  locked: LockedCart,
  effect: EffectRow,
  card: Card | null,
  rail: PaymentRail,
): (call: Call) => Promise<RailAnswer> {
  const { key, request } = effect
  switch (effect.step) {
    case 'authorize':
    case 'issue_credential': {
      const hold = holdCall(locked, effect, card)
      // guard cap-before-an-authorization: no authorization and no credential above the cap is asked for
      assertWithinCap(locked.cart, hold.step === 'authorize' ? hold.input.amount : hold.input.limit)
      return (call) =>
        hold.step === 'authorize' ? rail.authorize(hold.input, call) : rail.issueCredential(hold.input, call)
    }
    case 'capture': {
      const input = captureInput(locked, effect)
      // guard cap-before-a-capture: no capture above the cap is asked for
      assertWithinCap(locked.cart, input.amount)
      return (call) => rail.capture(input, call)
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

/** The call exactly as it was sent, for a rail that needs it again to close it. */
export async function closableCall(locked: LockedCart, effect: EffectRow): Promise<ClosableCall> {
  switch (effect.step) {
    case 'authorize':
    case 'issue_credential':
      return holdCall(locked, effect, await cardSentWith(locked, effect))
    case 'capture':
      return { step: 'capture', input: captureInput(locked, effect) }
    case 'void':
    case 'revoke':
    case 'refund':
    case 'place':
      throw new Error(`the rail is never asked to close a ${effect.step}`)
    default:
      return effect.step satisfies never
  }
}

async function cardSentWith(
  { ctx, intent }: LockedCart,
  { request: { payment_method_id: id } }: EffectRow,
): Promise<Card | null> {
  return id === null ? null : await cardOfMethod(ctx, { profileId: intent.profile_id, id })
}

function holdCall(
  locked: LockedCart,
  { step, key, request }: EffectRow,
  card: Card | null,
): Extract<ClosableCall, { step: 'authorize' | 'issue_credential' }> {
  const { intent, cart } = locked
  const { amount, currency, merchant, expires_at, form, offer } = request
  if (amount === null || currency === null || merchant === null || expires_at === null || !card)
    throw new Error('a hold without its terms')
  const terms = {
    key,
    card: { testCard: card.test_card, vaultToken: card.vault_token },
    currency,
    merchant,
    reference: referenceOf(intent, cart),
  }
  return step === 'authorize'
    ? { step, input: { ...terms, amount: BigInt(amount) } }
    : {
        step: 'issue_credential',
        input: {
          ...terms,
          limit: BigInt(amount),
          expiresAt: new Date(expires_at),
          ...(form === 'card' ? { vaultOf: locked.ctx.tenant.accountId } : {}),
          ...(offer?.seller === undefined ? {} : { seller: offer.seller }),
        },
      }
}

function captureInput(locked: LockedCart, effect: EffectRow): RailCapture {
  const amount = BigInt(effect.request.amount ?? 0)
  return { key: effect.key, reference: referenceAtRail(locked, effect), amount }
}

/** The last check before money moves. The decisions, the database and the rail each refuse it by themselves as well. */
export function assertWithinCap(cart: { max_allowed_amount: bigint }, amount: bigint): void {
  // guard cap-before-a-charge: no charge above the cap of its cart leaves the process
  if (amount > cart.max_allowed_amount) throw new Error('a charge above the cap was about to be made')
}

function referenceAtRail(locked: LockedCart, effect: EffectRow): string {
  const hold = locked.hold(effect.attempt)
  if (!hold) throw new Error(`a ${effect.step} of nothing`)
  return hold.reference
}
