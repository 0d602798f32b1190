import { randomInt } from 'node:crypto'
import { cardRanges, isExpiry, newNumber } from '../card-number.ts'
import { BadRequest } from '../fields.ts'
import { isAsked } from './ask-holder.ts'
import { approved, type Decision, declined, declineError, newId, refused } from './decision.ts'
import type { Capture, CardAuthorization, Ledger, VirtualCard } from './ledger.ts'
import type { MoneyCall, Presented } from './money-call.ts'
import { cardOfAuthorization, openAmount, reversedBy, showCard } from './virtual-card.ts'

type CallOf<Name extends MoneyCall['operation']> = Extract<MoneyCall, { operation: Name }>

const yearsValid = 3

export function issueCard(
  ledger: Ledger,
  call: CallOf<'issue_card'>,
  at: Date,
  forced: string | undefined,
): Decision {
  const { issuer } = call.card
  const decline = forced ?? (issuer.kind === 'declined' ? issuer.code : undefined)
  const card: VirtualCard = {
    id: newId('vcard'),
    object: 'virtual_card',
    card: call.card.name,
    number: newNumber(cardRanges.processor, (number) => ledger.cardNumbers.has(number)),
    exp_month: at.getUTCMonth() + 1,
    exp_year: at.getUTCFullYear() + yearsValid,
    security_code: String(randomInt(0, 1000)).padStart(3, '0'),
    limit: call.limit,
    currency: call.currency,
    merchant: call.merchant,
    expires_at: call.expiresAt,
    reference: call.reference,
    revoked_at: null,
    was_authorized: false,
    authorized: 0,
    captured: 0,
    refunded: 0,
    decline_code: decline ?? null,
    created_at: at.toISOString(),
  }
  const facts = { amount: call.limit, currency: call.currency, reference: call.reference }
  const shown = showCard(card, at)
  if (decline === undefined) return { ...approved('issue_card', 201, card, [card], facts), answer: shown }
  return {
    ...declined('issue_card', decline, card, facts),
    answer: { ...shown, error: declineError(decline) },
    objects: [card],
  }
}

/** What a merchant asks. It learns why a card is refused in the issuer's words only. */
export function authorizeCard(
  ledger: Ledger,
  call: CallOf<'authorize_card'>,
  at: Date,
  forced: string | undefined,
): Decision {
  const { amount, currency, merchant, reference } = call
  const operation = amount === 0 ? 'check_card' : 'authorize_card'
  const facts = { amount, currency, reference }
  const card = findCard(ledger, call.presented)
  const decline = card === undefined ? 'invalid_number' : (cardDecline(card, call, at) ?? forced)
  if (card === undefined || decline !== undefined)
    return declined(operation, decline ?? 'invalid_number', card ?? null, facts)
  const held: CardAuthorization = {
    id: newId('cauth'),
    object: 'card_authorization',
    card: card.card,
    virtual_card_id: card.id,
    amount,
    currency,
    merchant,
    reference,
    captured: 0,
    reversed: 0,
    refunded: 0,
    created_at: at.toISOString(),
  }
  if (amount === 0) return approved(operation, 201, held, [held, card], facts)
  const used: VirtualCard = {
    ...card,
    merchant: card.merchant ?? merchant,
    was_authorized: true,
    authorized: card.authorized + amount,
  }
  return approved(operation, 201, held, [held, used], facts)
}

function findCard({ objects, cardNumbers }: Ledger, presented: Presented): VirtualCard | undefined {
  const id = presented.kind === 'token' ? presented.token : cardNumbers.get(presented.number)
  const found = objects.get(id ?? '')
  return found?.object === 'virtual_card' ? found : undefined
}

function cardDecline(card: VirtualCard, call: CallOf<'authorize_card'>, at: Date): string | undefined {
  const { presented, amount, currency, merchant } = call
  if (card.decline_code !== null) return card.decline_code
  if (isAsked(card)) return 'card_inactive'
  if (presented.kind === 'number') {
    if (!isExpiry(presented.expiry, card)) return 'invalid_expiry'
    if (presented.securityCode !== card.security_code) return 'incorrect_cvc'
  }
  if (card.revoked_at !== null) return 'card_revoked'
  if (at >= new Date(card.expires_at)) return 'expired_card'
  if (card.merchant !== null && !isMerchant(card.merchant, merchant)) return 'wrong_merchant'
  if (currency !== card.currency) return 'wrong_currency'
  // A check is no use of the card, also beside an authorization.
  if (amount > card.limit - card.authorized - card.captured) return 'over_limit'
  return undefined
}

function isMerchant(allowed: string, asking: string): boolean {
  return asking === allowed || asking.endsWith(`.${allowed}`)
}

export function captureCard(
  ledger: Ledger,
  call: CallOf<'capture_card'>,
  at: Date,
  forced: string | undefined,
): Decision {
  const held = cardAuthorizationOf(ledger, call.authorizationId)
  const facts = { amount: call.amount, currency: held.currency, reference: held.reference }
  const rest = openAmount(held) - call.amount
  if (rest < 0) return refused('capture', 'over_authorized_amount', held, facts)
  if (forced !== undefined) return declined('capture', forced, held, facts)
  const capture: Capture = {
    id: newId('capt'),
    object: 'capture',
    authorization_id: held.id,
    credential_id: null,
    card: held.card,
    amount: call.amount,
    currency: held.currency,
    merchant: held.merchant,
    reference: held.reference,
    refunded_amount: 0,
    created_at: at.toISOString(),
  }
  const card = cardOfAuthorization(ledger, held)
  // The final capture gives back what it leaves.
  const given = call.isFinal ? rest : 0
  const settled: CardAuthorization = {
    ...held,
    captured: held.captured + call.amount,
    reversed: held.reversed + given,
  }
  const charged: VirtualCard = {
    ...card,
    authorized: card.authorized - call.amount - given,
    captured: card.captured + call.amount,
  }
  return approved('capture', 201, capture, [capture, settled, charged], facts)
}

export function reverseCard(ledger: Ledger, call: CallOf<'reverse_card'>, isKept: boolean): Decision {
  const held = cardAuthorizationOf(ledger, call.authorizationId)
  const amount = call.amount ?? openAmount(held)
  const facts = { amount, currency: held.currency, reference: held.reference }
  if (amount > openAmount(held)) return refused('reverse', 'over_authorized_amount', held, facts)
  if (isKept) return refused('reverse', 'release_refused', held, facts)
  const [reversed, card] = reversedBy(ledger, held, amount)
  const decision = approved('reverse', 200, reversed, [reversed, card], facts)
  return amount === 0 ? { ...decision, objects: [], result: null } : { ...decision, result: 'reversed' }
}

/** Answers with state and totals in the same step: what was authorized before stays capturable, and nothing new comes. */
export function revokeCard(ledger: Ledger, cardId: string, at: Date): Decision {
  const card = ledger.objects.get(cardId)
  if (card?.object !== 'virtual_card') throw new BadRequest('There is no such card', 'not_found', 404)
  const facts = { amount: card.limit, currency: card.currency, reference: card.reference }
  const revoked: VirtualCard = { ...card, revoked_at: card.revoked_at ?? at.toISOString() }
  const decision = { ...approved('revoke', 200, revoked, [revoked], facts), answer: showCard(revoked, at) }
  const isNew = card.revoked_at === null && card.decline_code === null
  return isNew ? { ...decision, result: 'revoked' } : { ...decision, objects: [], result: null }
}

function cardAuthorizationOf(ledger: Ledger, id: string): CardAuthorization {
  const found = ledger.objects.get(id)
  if (found?.object !== 'card_authorization')
    throw new BadRequest('There is no such authorization', 'not_found', 404)
  return found
}
