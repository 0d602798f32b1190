import { isAsked } from './ask-holder.ts'
import type { CardAuthorization, Ledger, Stored, VirtualCard } from './ledger.ts'

type CardStatus =
  | 'active'
  | 'authorized'
  | 'captured'
  | 'reversed'
  | 'revoked'
  | 'expired'
  | 'declined'
  | 'requires_action'

function statusOf(card: VirtualCard, at: Date): CardStatus {
  if (card.decline_code !== null) return 'declined'
  if (isAsked(card)) return 'requires_action'
  if (card.captured > 0) return 'captured'
  if (card.authorized > 0) return 'authorized'
  if (card.was_authorized) return 'reversed'
  if (card.revoked_at !== null) return 'revoked'
  return at >= new Date(card.expires_at) ? 'expired' : 'active'
}

/** Whether a merchant could still authorize against it. */
export function takesMore(card: VirtualCard, at: Date): boolean {
  return (
    !isAsked(card) && card.decline_code === null && card.revoked_at === null && at < new Date(card.expires_at)
  )
}

/** As everybody sees it: what makes it usable is asked for by itself. */
export function showCard(card: VirtualCard, at: Date): object {
  const { number, security_code: _, was_authorized: __, ...shown } = card
  return { ...shown, status: statusOf(card, at), takes_more: takesMore(card, at), last4: number.slice(-4) }
}

export function showSecrets({ number, exp_month, exp_year, security_code }: VirtualCard): object {
  return { number, exp_month, exp_year, security_code }
}

/** What is held and neither captured nor given back. */
export function openAmount({ amount, captured, reversed }: CardAuthorization): number {
  return amount - captured - reversed
}

export function cardOfAuthorization(ledger: Ledger, { virtual_card_id: id }: CardAuthorization): VirtualCard {
  const card = ledger.objects.get(id)
  if (card?.object !== 'virtual_card') throw new Error(`An authorization without its card: ${id}`)
  return card
}

export function reversedBy(
  ledger: Ledger,
  held: CardAuthorization,
  amount: number,
): [CardAuthorization, VirtualCard] {
  const card = cardOfAuthorization(ledger, held)
  return [
    { ...held, reversed: held.reversed + amount },
    { ...card, authorized: card.authorized - amount },
  ]
}

export function refundedTo(ledger: Ledger, held: CardAuthorization, amount: number): Stored[] {
  const card = cardOfAuthorization(ledger, held)
  return [
    { ...held, refunded: held.refunded + amount },
    { ...card, refunded: card.refunded + amount },
  ]
}
