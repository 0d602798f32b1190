import { isExpiry } from '../../card-number.ts'
import { ownAccount } from '../accounts.ts'
import { type Fact, type Memory, nowOf } from '../memory.ts'
import { newId } from '../work.ts'
import { type AccountAnswer, askAccount } from './ask-account.ts'
import { renderAuthorization } from './authorizations.ts'
import { fundsLeft, openAmount, spentOn } from './balance.ts'
import type { CardAuthorization, CardTransaction, IssuedCard, IssuingFact, Merchant } from './memory.ts'

export type Network = { readonly memory: Memory; readonly commit: (...facts: readonly Fact[]) => void }

/** What a merchant is told. */
export type Told = { readonly status: number; readonly answer: object }

type Charge = {
  readonly number: string
  readonly expiry: string
  readonly securityCode: string
  readonly amount: number
  readonly currency: string
  readonly merchant: Merchant
}

/** A merchant asks whether a card pays so much. An amount of 0 only checks it. */
export async function authorizeCard(network: Network, charge: Charge): Promise<Told> {
  const { memory } = network
  const { issuing } = memory
  const card = issuing.cards.get(issuing.cardNumbers.get(charge.number) ?? '')
  if (card === undefined) return declined('invalid_number')
  const authorization: CardAuthorization = {
    id: newId('iauth'),
    card: card.id,
    currency: card.currency,
    merchant: charge.merchant,
    approved: false,
    status: 'pending',
    amount: 0,
    captured: 0,
    history: [],
    asked: null,
    metadata: {},
    created_ms: nowOf(memory),
  }
  const why = unusable(card, charge)
  if (why !== null) return settle(network, { authorization, amount: charge.amount }, why)
  return await request(network, card, { authorization, amount: charge.amount })
}

/** More on an authorization that stands. */
export async function incrementAuthorization(
  network: Network,
  id: string,
  amount: number,
): Promise<Told | null> {
  const authorization = network.memory.issuing.authorizations.get(id)
  const card = network.memory.issuing.cards.get(authorization?.card ?? '')
  if (authorization === undefined || card === undefined) return null
  if (authorization.status !== 'pending' || !authorization.approved) return refused('authorization_ended')
  return await request(network, card, { authorization, amount })
}

type Asking = { readonly authorization: CardAuthorization; readonly amount: number }

/** The controls of the card and the balance come first, and the account is asked last: until it answers, the amount is taken. */
async function request(network: Network, card: IssuedCard, asking: Asking): Promise<Told> {
  const { memory } = network
  const { issuing } = memory
  const { authorization, amount } = asking
  const why = uncovered(network, card, asking)
  if (why !== null) return settle(network, asking, why)
  const { endpoint, ...settings } = issuing.settings
  if (endpoint === null) return settle(network, asking, approvedBy('card_active'))
  const asked = { ...authorization, asked: amount }
  issuing.asking.set(authorization.id, asked)
  const { is_live: isLive } = card
  const answer = await askAccount(
    { ...settings, endpoint },
    renderAuthorization(asked, { memory, account: ownAccount(isLive) }),
    { isLive, nowMs: nowOf(memory) },
  )
  issuing.asking.delete(authorization.id)
  // It may have been captured or given back in part meanwhile.
  const now = issuing.authorizations.get(authorization.id) ?? authorization
  return settle(network, { authorization: now, amount }, answer)
}

function settle({ memory, commit }: Network, { authorization, amount }: Asking, answer: AccountAnswer): Told {
  const { approved, reason } = answer
  const isFirst = authorization.history.length === 0
  const decided = { amount, approved, reason, created_ms: nowOf(memory) }
  const value: CardAuthorization = {
    ...authorization,
    approved: isFirst ? approved : authorization.approved,
    status: isFirst && !approved ? 'closed' : authorization.status,
    // What was rejected is told, too.
    amount: isFirst || approved ? authorization.amount + amount : authorization.amount,
    history: [...authorization.history, decided],
    metadata: { ...authorization.metadata, ...answer.metadata },
  }
  commit(fact({ kind: 'authorization', value }), entry(value, 'authorize_card', amount, reason))
  return approved ? { status: 201, answer: shown(value) } : declined(reason)
}

const declines = (reason: AccountAnswer['reason']): AccountAnswer => ({
  approved: false,
  reason,
  metadata: {},
})
const approvedBy = (reason: AccountAnswer['reason']): AccountAnswer => ({
  approved: true,
  reason,
  metadata: {},
})

function unusable(card: IssuedCard, charge: Charge): AccountAnswer | null {
  if (!isExpiry(charge.expiry, card) || charge.securityCode !== card.cvc)
    return declines('verification_failed')
  return charge.currency.toLowerCase() === card.currency ? null : declines('not_allowed')
}

function uncovered({ memory }: Network, card: IssuedCard, { authorization, amount }: Asking) {
  const { issuing } = memory
  const { country, category } = authorization.merchant
  if (card.status !== 'active')
    return declines(card.status === 'canceled' ? 'card_canceled' : 'card_inactive')
  const isAllowed = (all: string[] | null, one: string) => all === null || all.includes(one)
  if (!isAllowed(card.allowed_countries, country) || !isAllowed(card.allowed_categories, category))
    return declines('spending_controls')
  if (card.limit !== null && amount > card.limit - spentOn(issuing, card.id))
    return declines('spending_controls')
  return amount > fundsLeft(issuing, card.currency) ? declines('insufficient_funds') : null
}

type Capturing = {
  readonly id: string
  readonly amount: number
  /** What it leaves is given back. */
  readonly isFinal: boolean
  /** A network lets merchants take more than they have asked for, and the issuer pays. */
  readonly isOver: boolean
}

export function captureAuthorization({ memory, commit }: Network, capturing: Capturing): Told | null {
  const held = memory.issuing.authorizations.get(capturing.id)
  if (held === undefined) return null
  const { amount, isFinal, isOver } = capturing
  if (!isOver && amount > openAmount(held)) return refused('over_authorized_amount')
  const captured = held.captured + amount
  const isDone = isFinal || captured >= held.amount
  const transaction = transactionOf(memory, held, { type: 'capture', amount, authorization: held.id })
  const value: CardAuthorization = { ...held, captured, status: isDone ? 'closed' : held.status }
  commit(
    fact({ kind: 'authorization', value }),
    fact({ kind: 'transaction', value: transaction }),
    entry(held, isOver ? 'capture_over' : 'capture', amount, 'succeeded'),
  )
  return { status: 201, answer: { ...shown(value), id: transaction.id, object: 'capture', amount } }
}

/** A merchant takes money without having asked, as networks let them: no control of the card and no account is heard. */
export function captureByForce(
  { memory, commit }: Network,
  charge: Omit<Charge, 'expiry' | 'securityCode'>,
): Told {
  const card = memory.issuing.cards.get(memory.issuing.cardNumbers.get(charge.number) ?? '')
  if (card === undefined) return declined('invalid_number')
  const { amount, merchant } = charge
  const of = { card: card.id, currency: card.currency, merchant }
  const value = transactionOf(memory, of, { type: 'capture', amount, authorization: null })
  commit(fact({ kind: 'transaction', value }), entry(of, 'capture_by_force', amount, 'succeeded'))
  return { status: 201, answer: { id: value.id, object: 'capture', amount, currency: card.currency } }
}

export function reverseAuthorization(
  { memory, commit }: Network,
  id: string,
  part: number | null,
): Told | null {
  const held = memory.issuing.authorizations.get(id)
  if (held === undefined) return null
  const amount = part ?? openAmount(held)
  if (amount > openAmount(held)) return refused('over_authorized_amount')
  const left = held.amount - amount
  const isEnded = left - held.captured === 0 && held.status === 'pending'
  const status = isEnded ? (held.captured > 0 ? 'closed' : 'reversed') : held.status
  const value: CardAuthorization = { ...held, amount: left, status }
  commit(fact({ kind: 'authorization', value }), entry(held, 'reverse', amount, 'succeeded'))
  return { status: 200, answer: shown(value) }
}

export function refundTransaction({ memory, commit }: Network, id: string, amount: number): Told | null {
  const { transactions } = memory.issuing
  const captured = transactions.get(id)
  if (captured?.type !== 'capture') return null
  const given = [...transactions.values()].reduce(
    (sum, one) => sum + (one.refund_of === id ? one.amount : 0),
    0,
  )
  if (amount > captured.amount - given) return refused('over_captured_amount')
  const value = transactionOf(memory, captured, {
    type: 'refund',
    amount,
    authorization: captured.authorization,
    refund_of: id,
  })
  commit(fact({ kind: 'transaction', value }), entry(captured, 'refund', amount, 'succeeded'))
  return { status: 201, answer: { id: value.id, object: 'refund', amount, currency: value.currency } }
}

function transactionOf(
  memory: Memory,
  { card, currency, merchant }: Pick<CardTransaction, 'card' | 'currency' | 'merchant'>,
  terms: Pick<CardTransaction, 'type' | 'amount' | 'authorization'> & { refund_of?: string },
): CardTransaction {
  const { refund_of = null } = terms
  return { id: newId('ipi'), card, currency, merchant, ...terms, refund_of, created_ms: nowOf(memory) }
}

function shown({ id, amount, captured, currency, status }: CardAuthorization): object {
  return { id, object: 'card_authorization', amount, captured, currency: currency.toUpperCase(), status }
}

function declined(decline_code: string): Told {
  return {
    status: 402,
    answer: { error: { code: 'declined', message: 'The card was declined', decline_code } },
  }
}

function refused(code: string): Told {
  return { status: 409, answer: { error: { code, message: 'The network refuses this' } } }
}

function fact(value: IssuingFact): Fact {
  return { kind: 'issuing', fact: value }
}

function entry(
  { card: reference, currency }: Pick<CardTransaction, 'card' | 'currency'>,
  operation: string,
  amount: number,
  result: string,
): Fact {
  const about = { key: null, payment_intent: null, reference, amount, currency }
  return { kind: 'entry', value: { at: new Date().toISOString(), operation, ...about, result } }
}
