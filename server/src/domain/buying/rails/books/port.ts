import type { Call } from '../port.ts'

/** What a rail has written in its books about the money of one hold, or about one refund. A capture may stand there in several entries. */
export type Booking = {
  /** `failed_refund`: what was given back has come back, because the bank of the buyer did not take it. */
  readonly kind: 'capture' | 'refund' | 'failed_refund'
  /** The key that it was made under; null: it was not made from here. */
  readonly key: string | null
  /** As the rail names it: a capture by its hold, a refund by itself. */
  readonly reference: string
  /** The hold that the money was on; null: the rail does not say. */
  readonly hold: string | null
  /** Below zero in an entry that takes a part of a capture back. */
  readonly amount: bigint
  readonly currency: string
  readonly bookedAt: Date
}

/**
 * `others`: entries that are neither captures nor refunds, such as fees and payouts, counted by the rail's word for them. `unread`: captures
 * and refunds that make no sense, by the rail's name of the entry. `next` asks for the page after this one; null on the last.
 */
export type BookPage = {
  readonly bookings: readonly Booking[]
  readonly others: readonly string[]
  readonly unread: readonly string[]
  readonly next: string | null
}

type BookQuery = { readonly from: Date; readonly until: Date; readonly page: string | null }

/** The books of a rail: what it says that it has moved, which no answer to a call of ours is. They are read, and nothing in them is changed. */
export interface RailBooks {
  /** What was booked from one time on and before another one; null: it cannot be read at the moment. */
  list(query: BookQuery, call: Call): Promise<BookPage | null>
  /** One movement by the rail's name for it, whenever it was booked; null: it cannot be read at the moment. */
  find(move: Pick<Booking, 'kind' | 'reference'>, call: Call): Promise<Booking | 'nothing' | null>
}
