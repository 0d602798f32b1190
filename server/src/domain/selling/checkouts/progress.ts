import type { SaleProgress } from '../sales/public.ts'
import type { CheckoutMessage, CheckoutRow } from './checkout.ts'
import { isReady } from './write-checkout.ts'

export type CheckoutStatus =
  | 'incomplete'
  | 'ready_for_complete'
  | 'complete_in_progress'
  | 'completed'
  | 'canceled'

/** How a checkout stands. Its row says what was asked for, its sale what became of the payment, and the time the rest. */
export function progressOf(
  row: CheckoutRow,
  sale: SaleProgress | null,
  now: Date,
): { status: CheckoutStatus; messages: readonly CheckoutMessage[] } {
  if (row.state === 'canceled') return { status: 'canceled', messages: [] }
  if (row.state === 'open') return openAt(row, now, row.messages)
  if (sale === null) throw new Error('a checkout that is paid without a sale')
  switch (sale.state) {
    case 'charging':
    case 'ordered':
    case 'capturing':
    case 'releasing':
    case 'undoing':
      return { status: 'complete_in_progress', messages: [] }
    case 'captured':
      return { status: 'completed', messages: [] }
    case 'declined':
      return openAt(row, now, [declined(sale.failure?.decline_code ?? null)])
    case 'released':
    case 'unpaid':
      return { status: 'canceled', messages: [notTaken] }
    default:
      return sale.state satisfies never
  }
}

function openAt(row: CheckoutRow, now: Date, messages: readonly CheckoutMessage[]) {
  if (now >= row.expires_at) return { status: 'canceled' as const, messages: [expired] }
  return { status: isReady(row) ? ('ready_for_complete' as const) : ('incomplete' as const), messages }
}

const expired: CheckoutMessage = {
  type: 'info',
  code: 'expired',
  content: 'The checkout was not completed in time. Create another one.',
}

const notTaken: CheckoutMessage = {
  type: 'error',
  code: 'order_not_accepted',
  content: 'The merchant did not accept the order. Nothing was charged.',
  severity: 'unrecoverable',
}

function declined(code: string | null): CheckoutMessage {
  return {
    type: 'error',
    code: 'payment_failed',
    content: `The payment was declined${code === null ? '' : ` (${code})`}. Nothing was charged. Complete again with another instrument.`,
    path: '$.payment.instruments[0]',
    severity: 'recoverable',
  }
}
