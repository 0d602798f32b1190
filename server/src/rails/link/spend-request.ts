import type { NeedsPerson, RailObject } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { approvalMinutes } from './limits.ts'
import { isShown } from './sign-in.ts'

const statuses = [
  'created',
  'pending_approval',
  'requires_action',
  'approved',
  'denied',
  'expired',
  'canceled',
  'succeeded',
  'failed',
] as const

/** What Link says of a request for a card. */
export type SpendRequest = {
  readonly id: string
  readonly status: (typeof statuses)[number]
  /** The key under which we have made it; null: it is none of ours. */
  readonly key: string | null
  readonly amount: bigint
  readonly currency: string
  readonly createdAt: Date
  /** The page on which its person decides, or does what Link asks for before that. */
  readonly page: string | null
  /** Whether it goes on once they have. */
  readonly goesOn: boolean
  readonly charged: bigint
  readonly refunded: bigint
  /** How Link calls the charge. */
  readonly transaction: string | null
}

/** Null: it makes no sense. */
export function spendRequestOf(body: unknown): SpendRequest | null {
  if (!isRecord(body)) return null
  const status = statuses.find((one) => one === body.status)
  const amount = amountOf(body.amount)
  const createdAt = new Date(typeof body.created_at === 'string' ? body.created_at : Number.NaN)
  if (status === undefined || amount === null || typeof body.id !== 'string') return null
  if (typeof body.currency !== 'string' || Number.isNaN(createdAt.getTime())) return null
  const paid = recordIn(body, 'payment_status_details')
  const action = recordIn(recordIn(recordIn(body, 'status_details'), 'requires_action'), 'next_action')
  const isAction = status === 'requires_action'
  return {
    id: body.id,
    status,
    key: textOf(recordIn(body, 'metadata').prokura_key),
    amount,
    currency: body.currency.toUpperCase(),
    createdAt,
    page: textOf(isAction ? action.action_url : body.approval_url),
    goesOn: !isAction || action.resolution === 'auto_resume',
    charged: paid.outcome === 'success' ? (amountOf(paid.amount) ?? amount) : 0n,
    refunded: amountOf(recordIn(paid, 'refund_details').amount) ?? 0n,
    transaction: textOf(body.link_transaction_id),
  }
}

function recordIn(body: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const value = body[name]
  return isRecord(value) ? value : {}
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function amountOf(value: unknown): bigint | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
}

/** The person is asked; null: nobody is, or the page is not to be shown. */
export function personOf({ status, page, goesOn, createdAt }: SpendRequest): NeedsPerson | null {
  const isOpen = status === 'created' || status === 'pending_approval' || status === 'requires_action'
  if (!isOpen || !goesOn || page === null || !isShown(page)) return null
  return { kind: 'needs_person', url: page, until: new Date(createdAt.getTime() + approvalMinutes * 60_000) }
}

/** The credential, under the name that the rail gives it. */
export function credentialOf(request: SpendRequest, reference: string): RailObject {
  const { charged, refunded, transaction, amount, currency, id } = request
  return {
    reference,
    status: statusOf(request),
    amount,
    capturedAmount: charged,
    refundedAmount: refunded,
    currency,
    captureReference: charged === 0n ? null : (transaction ?? id),
  }
}

/** A card that its merchant could not charge is used up: it is good for one charge. */
function statusOf({ status, charged, refunded }: SpendRequest): RailObject['status'] {
  if (charged > 0n) return refunded >= charged ? 'refunded' : 'captured'
  return status === 'approved' ? 'authorized' : status === 'denied' ? 'declined' : 'voided'
}
