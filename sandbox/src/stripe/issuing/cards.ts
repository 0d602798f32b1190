import { randomInt } from 'node:crypto'
import type { Stripe } from 'stripe'
import { cardRanges, newNumber } from '../../card-number.ts'
import type { Form } from '../form.ts'
import type { Memory } from '../memory.ts'
import { noSuch, StripeError } from '../stripe-error.ts'
import { type Asked, newId, type Operations, page, seconds } from '../work.ts'
import { renderCardholder } from './cardholders.ts'
import type { IssuedCard } from './memory.ts'

const cards = '/v1/issuing/cards'
const yearsValid = 3

export const cardOperations: Operations = [
  {
    method: 'POST',
    path: cards,
    operation: 'create_card',
    work(asked) {
      const value = cardIn(asked)
      return { body: renderCard(value, asked), facts: [issued(value), entry(asked, value, 'issue_card')] }
    },
  },
  {
    method: 'GET',
    path: cards,
    operation: 'list_cards',
    work(asked) {
      const { form, memory } = asked
      const [cardholder, type, status] = [form.text('cardholder'), form.text('type'), form.text('status')]
      const all = [...memory.issuing.cards.values()].filter(
        (one) =>
          (cardholder === null || one.cardholder === cardholder) &&
          (type === null || type === 'virtual') &&
          (status === null || one.status === status),
      )
      return { body: page(asked, all, (one) => renderCard(one, asked)) }
    },
  },
  {
    method: 'GET',
    path: `${cards}/:id`,
    operation: 'read_card',
    work: (asked) => ({ body: renderCard(knownCard(asked.memory, asked.call.params.id), asked) }),
  },
  {
    method: 'POST',
    path: `${cards}/:id`,
    operation: 'update_card',
    work(asked) {
      const { form, memory, call } = asked
      const before = knownCard(memory, call.params.id)
      const asksFor = form.oneOf('status', ['active', 'inactive', 'canceled'])
      const status = asksFor ?? before.status
      form.oneOf('cancellation_reason', ['lost', 'stolen'])
      if (before.status === 'canceled' && asksFor !== null)
        throw new StripeError(400, { param: 'status', message: 'A canceled card stays canceled' })
      const value = { ...before, status, metadata: { ...before.metadata, ...form.group('metadata') } }
      const isEnded = before.status !== 'canceled' && status === 'canceled'
      return {
        body: renderCard(value, asked),
        facts: [issued(value), ...(isEnded ? [entry(asked, value, 'cancel_card')] : [])],
      }
    },
  },
]

function cardIn({ form, memory, account, nowMs }: Asked): IssuedCard {
  const { issuing } = memory
  const cardholder = form.required('cardholder')
  if (!issuing.cardholders.has(cardholder)) throw noSuch('cardholder', 'cardholder')
  const currency = form.required('currency').toLowerCase()
  if (!issuing.funds.has(currency))
    throw new StripeError(400, { param: 'currency', message: 'Cards are not issued in this currency' })
  form.required('type')
  form.oneOf('type', ['virtual'])
  const at = new Date(nowMs)
  return {
    id: newId('ic'),
    cardholder,
    currency,
    number: newNumber(cardRanges.stripe, (number) => issuing.cardNumbers.has(number)),
    cvc: String(randomInt(0, 1000)).padStart(3, '0'),
    exp_month: at.getUTCMonth() + 1,
    exp_year: at.getUTCFullYear() + yearsValid,
    // As Stripe says, a card waits for its activation, unless it is told otherwise.
    status: form.oneOf('status', ['active', 'inactive']) ?? 'inactive',
    limit: limitIn(form),
    allowed_countries: listIn(form, 'allowed_merchant_countries'),
    allowed_categories: listIn(form, 'allowed_categories'),
    metadata: form.group('metadata'),
    is_live: account.isLive,
    created_ms: nowMs,
  }
}

function limitIn(form: Form): number | null {
  const amount = form.number('spending_controls[spending_limits][0][amount]')
  if (amount === null) return null
  form.required('spending_controls[spending_limits][0][interval]')
  form.oneOf('spending_controls[spending_limits][0][interval]', ['all_time'])
  return amount
}

function listIn(form: Form, name: string): string[] | null {
  const all = form.list(`spending_controls[${name}]`)
  return all.length === 0 ? null : all
}

export function knownCard({ issuing }: Memory, id = ''): IssuedCard {
  const card = issuing.cards.get(id)
  if (card === undefined) throw noSuch('issuing card', 'card', 404)
  return card
}

function issued(value: IssuedCard) {
  return { kind: 'issuing', fact: { kind: 'card', value } } as const
}

function entry({ call }: Asked, { id, limit, currency }: IssuedCard, operation: string) {
  const key = call.header('idempotency-key') ?? null
  const about = { payment_intent: null, reference: id, amount: limit ?? 0, currency }
  const at = new Date().toISOString()
  return { kind: 'entry', value: { at, operation, key, ...about, result: 'succeeded' } } as const
}

/** Its number and its code are told where they are asked for, and nowhere else. */
export function renderCard(
  card: IssuedCard,
  asked: Pick<Asked, 'memory' | 'account'> & Partial<Pick<Asked, 'expands'>>,
): Stripe.Issuing.Card {
  const { account, expands = new Set() } = asked
  const cardholder = asked.memory.issuing.cardholders.get(card.cardholder)
  if (cardholder === undefined) throw new Error(`a card without its holder: ${card.id}`)
  const wallet = { eligible: false, ineligible_reason: 'missing_agreement' } as const
  return {
    id: card.id,
    object: 'issuing.card',
    brand: 'Visa',
    cancellation_reason: null,
    cardholder: renderCardholder(cardholder, account),
    created: seconds(card.created_ms),
    currency: card.currency,
    ...(expands.has('cvc') ? { cvc: card.cvc } : {}),
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    last4: card.number.slice(-4),
    latest_fraud_warning: null,
    lifecycle_controls: null,
    livemode: account.isLive,
    metadata: card.metadata,
    ...(expands.has('number') ? { number: card.number } : {}),
    personalization_design: null,
    replaced_by: null,
    replacement_for: null,
    replacement_reason: null,
    second_line: null,
    shipping: null,
    spending_controls: {
      allowed_card_presences: null,
      allowed_categories: card.allowed_categories,
      allowed_merchant_countries: card.allowed_countries,
      blocked_card_presences: null,
      blocked_categories: null,
      blocked_merchant_countries: null,
      spending_limits:
        card.limit === null ? [] : [{ amount: card.limit, categories: [], interval: 'all_time' }],
      spending_limits_currency: card.limit === null ? null : card.currency,
    },
    status: card.status,
    type: 'virtual',
    wallets: { apple_pay: wallet, google_pay: wallet, primary_account_identifier: null },
  }
}
