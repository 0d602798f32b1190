import type { Booking } from './books/port.ts'

/** A capture or a refund, as our rows have it. */
export type OurMove = {
  readonly kind: 'capture' | 'refund'
  /** Under which the rail knows it. */
  readonly key: string
  /** By which it is found here. */
  readonly subject: string
  /** Null where it is not known, or not any more. */
  readonly reference: string | null
  /** `under_way`: a call may have left, and it is not known what became of it. */
  readonly state: 'done' | 'under_way' | 'not_done'
  /** Null where only the sum of several is kept. */
  readonly amount: bigint | null
  readonly currency: string
}

type Money = Pick<Booking, 'amount' | 'currency'>

/** What one side says of a movement of money, and the other one does not. */
export type Difference = {
  readonly kind: 'only_there' | 'only_here' | 'another_amount' | 'another_currency'
  readonly move: Booking['kind']
  /** `elsewhere`: not by a call of ours, such as in the Dashboard of the rail, on money that was held from here. */
  readonly made: 'here' | 'elsewhere'
  readonly key: string | null
  readonly subject: string | null
  readonly reference: string | null
  readonly here: Money | null
  readonly there: Money | null
}

/** `strange`: it is nothing of ours: another business uses the same account. */
type Verdict = 'equal' | 'under_way' | 'strange' | Difference

/** Our rows by what both sides name them. */
export type KnownMoves = {
  byKey(kind: OurMove['kind'], key: string): OurMove | undefined
  byReference(kind: OurMove['kind'], reference: string): OurMove | undefined
}

/** Entries about the same movement, as one: a capture in part is written as a whole with its rest taken back. */
export function sumBookings(all: readonly Booking[]): readonly Booking[] {
  const sums = new Map<string, Booking>()
  for (const one of all) {
    const name = `${one.kind} ${one.reference} ${one.currency}`
    const sum = sums.get(name)
    sums.set(name, sum ? { ...sum, key: sum.key ?? one.key, amount: sum.amount + one.amount } : one)
  }
  return [...sums.values()]
}

/** What a movement in the books of a rail means for our rows. */
export function judgeBooking(booking: Booking, known: KnownMoves): Verdict {
  const { key, reference, hold } = booking
  const kind = booking.kind === 'capture' ? 'capture' : 'refund'
  const ours =
    (key === null ? undefined : known.byKey(kind, key)) ?? known.byReference(kind, reference) ?? null
  const isOfOurs = ours !== null || (hold !== null && known.byReference('capture', hold) !== undefined)
  // guard refund-elsewhere-is-found: what somebody gives back of our money without a call of ours is named, and other business is not
  if (key === null && !isOfOurs) return 'strange'
  const strange: Difference = {
    kind: 'only_there',
    move: booking.kind,
    made: key === null ? 'elsewhere' : 'here',
    key,
    subject: ours?.subject ?? null,
    reference,
    here: null,
    there: booking,
  }
  if (ours === null || booking.kind === 'failed_refund') return strange
  if (ours.state === 'under_way') return 'under_way'
  // guard second-move-is-found: a second movement under the same key is none that our row knows
  if (ours.state === 'not_done' || (ours.reference ?? reference) !== reference) return strange
  return compare(ours, booking)
}

/** What we have moved and the books of the rail do not have. */
export function onlyHere(ours: OurMove): Difference {
  const { kind: move, key, subject, reference } = ours
  return { kind: 'only_here', move, made: 'here', key, subject, reference, here: moneyOf(ours), there: null }
}

function compare(ours: OurMove, booking: Booking): Verdict {
  const { kind: move, key, subject, reference } = ours
  const of = { move, made: 'here', key, subject, reference, here: moneyOf(ours), there: booking } as const
  // guard another-currency-is-found: equal numbers of two currencies are not equal
  if (ours.currency !== booking.currency) return { ...of, kind: 'another_currency' }
  // guard another-amount-is-found: what was moved is compared to the minor unit
  return (ours.amount ?? booking.amount) === booking.amount ? 'equal' : { ...of, kind: 'another_amount' }
}

function moneyOf({ amount, currency }: OurMove): Money | null {
  return amount === null ? null : { amount, currency }
}
