import type { StateTable } from '../../../core/state-table.ts'

export const quoteStatuses = [
  'pending',
  'quoted',
  'declined',
  'requires_input',
  'failed',
  'expired',
  'ordered',
  'cancelled',
] as const
type QuoteStatus = (typeof quoteStatuses)[number]

export type QuoteTrigger =
  | 'quote'
  | 'decline'
  | 'require_input'
  | 'fail'
  | 'expire'
  | 'order'
  | 'cancel'
  | 'refresh'

/**
 * `refresh` asks the merchant again; `require_input` also ends a refresh that lacks what the item requires. A quote that was ordered or
 * cancelled stays so: another purchase needs another quote.
 */
export const quoteTable = {
  pending: {
    quote: 'quoted',
    decline: 'declined',
    require_input: 'requires_input',
    fail: 'failed',
    cancel: 'cancelled',
  },
  quoted: {
    expire: 'expired',
    order: 'ordered',
    cancel: 'cancelled',
    refresh: 'pending',
    require_input: 'requires_input',
  },
  declined: { refresh: 'pending', require_input: 'requires_input' },
  requires_input: { refresh: 'pending', require_input: 'requires_input', cancel: 'cancelled' },
  failed: { refresh: 'pending', require_input: 'requires_input' },
  expired: { refresh: 'pending', require_input: 'requires_input' },
  ordered: {},
  cancelled: {},
} as const satisfies StateTable<QuoteStatus, QuoteTrigger>
