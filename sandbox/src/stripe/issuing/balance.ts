import type { Stripe } from 'stripe'
import type { Operations } from '../work.ts'
import type { CardAuthorization, CardTransaction, IssuingMemory } from './memory.ts'

export const balanceOperations: Operations = [
  {
    method: 'GET',
    path: '/v1/balance',
    operation: 'balance',
    work({ memory: { issuing }, account }) {
      const available = [...issuing.funds.keys()].map((currency) => ({
        amount: fundsLeft(issuing, currency),
        currency,
      }))
      const body: Stripe.Balance = {
        object: 'balance',
        available: [],
        issuing: { available },
        livemode: account.isLive,
        pending: [],
      }
      return { body }
    },
  },
]

/** What cards of a currency can still spend. */
export function fundsLeft(issuing: IssuingMemory, currency: string): number {
  const paidIn = issuing.funds.get(currency) ?? 0
  const isOwn = (one: { currency: string }) => one.currency === currency
  const { captured, refunded } = movedBy([...issuing.transactions.values()].filter(isOwn))
  return paidIn - heldBy(issuing, isOwn) - captured + refunded
}

/** What a card has used of its limit: refunds give nothing back to it. */
export function spentOn(issuing: IssuingMemory, cardId: string): number {
  const isOwn = (one: { card: string }) => one.card === cardId
  return heldBy(issuing, isOwn) + movedBy([...issuing.transactions.values()].filter(isOwn)).captured
}

function heldBy(
  { authorizations, asking }: IssuingMemory,
  isOwn: (one: CardAuthorization) => boolean,
): number {
  const standing = [...authorizations.values()].filter(isOwn).reduce((sum, one) => sum + openAmount(one), 0)
  return [...asking.values()].filter(isOwn).reduce((sum, { asked }) => sum + (asked ?? 0), standing)
}

/** What is authorized and neither captured nor given back. */
export function openAmount({ status, approved, amount, captured }: CardAuthorization): number {
  return status === 'pending' && approved ? Math.max(0, amount - captured) : 0
}

function movedBy(transactions: readonly CardTransaction[]): { captured: number; refunded: number } {
  const sumOf = (type: CardTransaction['type']) =>
    transactions.reduce((sum, one) => sum + (one.type === type ? one.amount : 0), 0)
  return { captured: sumOf('capture'), refunded: sumOf('refund') }
}
