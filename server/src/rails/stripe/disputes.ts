import type { Call, DisputeReading, RailDispute } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { fromStripe } from './currencies.ts'
import { notNowOf } from './payment-intent.ts'
import type { StripeApi } from './stripe-api.ts'

type Standing = Pick<RailDispute, 'status' | 'outcome'>

const open = (status: 'needs_response' | 'under_review'): Standing => ({ status, outcome: null })
const closed = (outcome: 'won' | 'lost' | 'dropped'): Standing => ({ status: 'closed', outcome })

/** A question of a bank before a dispute is one here, too. One that a refund has prevented takes nothing. */
const standings: Readonly<Record<string, Standing>> = {
  warning_needs_response: open('needs_response'),
  warning_under_review: open('under_review'),
  warning_closed: closed('dropped'),
  needs_response: open('needs_response'),
  under_review: open('under_review'),
  appeal_needs_response: open('needs_response'),
  appeal_under_review: open('under_review'),
  won: closed('won'),
  lost: closed('lost'),
  prevented: closed('dropped'),
}

export async function readDispute(api: StripeApi, id: string, call: Call): Promise<DisputeReading> {
  const said = await api.send((stripe, options) => stripe.disputes.retrieve(id, {}, options), call)
  if (said.kind !== 'answer') return { kind: 'unknown' }
  if (said.status !== 200) return notNowOf(said) ?? { kind: 'unknown' }
  const value = disputeOf(said.body)
  return value === null ? { kind: 'unknown' } : { kind: 'done', value }
}

/** Null: this is no dispute of an intent, or one in a state that nobody has documented. */
function disputeOf(body: Readonly<Record<string, unknown>>): RailDispute | null {
  const { id, currency, payment_intent: hold, status, evidence_details: evidence } = body
  if (body.object !== 'dispute' || typeof id !== 'string' || typeof hold !== 'string') return null
  const standing = standings[typeof status === 'string' ? status : '']
  if (typeof currency !== 'string' || standing === undefined) return null
  const own = currency.toUpperCase()
  const amount = fromStripe(body.amount, own)
  const withdrawn = withdrawnBy(body.balance_transactions, amount)
  if (amount === null || withdrawn === null) return null
  const dueBy = isRecord(evidence) && typeof evidence.due_by === 'number' ? evidence.due_by : null
  return {
    id,
    hold,
    ...standing,
    amount,
    currency: own,
    dueBy: dueBy === null || standing.status !== 'needs_response' ? null : new Date(dueBy * 1000),
    withdrawn,
  }
}

/**
 * The first movement takes the disputed money, and a second gives it back. They may be in the currency of the account, so that the sums say
 * nothing about the currency of the payment: their signs do.
 */
function withdrawnBy(movements: unknown, amount: bigint | null): bigint | null {
  if (!Array.isArray(movements)) return null
  const signs = movements.map((one: unknown) =>
    isRecord(one) && typeof one.amount === 'number' ? Math.sign(one.amount) : null,
  )
  if (signs.includes(null)) return null
  return signs.reduce<number>((sum, sign) => sum + (sign ?? 0), 0) < 0 ? amount : 0n
}
