import type { Mode } from '../../../contract/context.ts'
import { formatMoney } from '../../../core/money.ts'
import type { Invariant } from '../../../platform/audit/invariants.ts'
import { readDatabaseTime } from '../../../platform/clock/clock.ts'
import type { Pools } from '../../../platform/database/pool.ts'
import type { Booking, RailBooks } from './books/port.ts'
import {
  type Difference,
  judgeBooking,
  type KnownMoves,
  type OurMove,
  onlyHere,
  sumBookings,
} from './compare-moves.ts'
import type { Call } from './port.ts'
import { timing } from './timing.ts'

type Reader = Pick<Pools, 'read'>
type AtRail = { readonly mode: Mode; readonly rail: string }

/** Rows of ours that say what a rail has captured and given back. Every slice that moves money has them. */
export type MoveRows = {
  /** What was known to be done from one time on and before another one. */
  settled(pools: Reader, at: AtRail & { from: Date; until: Date }): Promise<readonly OurMove[]>
  /** Those that the rail knows by these keys, or names so. */
  named(
    pools: Reader,
    at: AtRail & { keys: readonly string[]; references: readonly string[] },
  ): Promise<readonly OurMove[]>
}

/** A rail whose books are compared with our rows of a mode. */
export type BookedRail = { readonly name: string; readonly mode: Mode; readonly books: RailBooks }

/** A day of UTC on both sides. */
export type ReconciledDay = {
  /** Captures and refunds that our rows have. */
  readonly here: number
  /** Those in the books of the rail that are ours. */
  readonly there: number
  /** Captures and refunds of others who use the same account. */
  readonly strange: number
  /** Those whose calls are not answered yet: they are compared when they are. */
  readonly underWay: number
  /** Entries that are neither, by the rail's word for them. */
  readonly others: ReadonlyMap<string, number>
  readonly unread: readonly string[]
  readonly differences: readonly Difference[]
}

const dayMs = 86_400_000
const namedAtOnce = 500
const askedAtOnce = 8
const violationsMax = 100

/**
 * Compares what our rows say was captured and given back on a day with the books of the rail. Each movement is judged on the day on which the
 * rail has booked it, so one of midnight is judged once. Null: the rail does not answer.
 */
export async function reconcileDay(
  pools: Reader,
  { name: rail, mode, books }: BookedRail,
  { day, sources }: { day: Date; sources: readonly MoveRows[] },
): Promise<ReconciledDay | null> {
  const at = { mode, rail }
  const [from, until] = [day, new Date(day.getTime() + dayMs)]
  const call = { mode, timeoutMs: timing.longestCallMs }
  const listed = await listAll(books, { from, until }, call)
  if (listed === null) return null
  const bookings = sumBookings(listed.bookings)
  const known = await readKnown(pools, { at, sources }, bookings)
  const judge = (all: readonly Booking[], by: KnownMoves) => all.map((one) => judgeBooking(one, by))
  const verdicts = judge(bookings, known)
  const settled = await Promise.all(sources.map((source) => source.settled(pools, { ...at, from, until })))
  const here = settled.flat()
  const seen = new Set(bookings.map(({ kind, reference }) => `${kind} ${reference}`))
  const missing = here.filter(({ kind, reference }) => !seen.has(`${kind} ${reference}`))
  const late = await findAll(books, missing, call)
  if (late === null) return null
  const differences = [
    ...verdicts.flatMap((one) => (typeof one === 'string' ? [] : [one])),
    ...missing.flatMap((ours, index) => judgeMissing(ours, late[index] ?? 'nothing', { from, until })),
  ]
  const count = (verdict: string) => verdicts.filter((one) => one === verdict).length
  const strange = count('strange')
  return {
    here: here.length,
    there: bookings.length - strange,
    strange,
    underWay: count('under_way'),
    others: countByWord(listed.others),
    unread: listed.unread,
    differences,
  }
}

/** A movement that we have on this day, and the rail on another one, is judged on that one. */
function judgeMissing(
  ours: OurMove,
  found: Booking | 'nothing',
  { from, until }: { from: Date; until: Date },
): readonly Difference[] {
  // guard move-of-ours-is-found: what a row has and the books of the rail have not is named
  if (found === 'nothing') return [onlyHere(ours)]
  if (found.bookedAt < from || found.bookedAt >= until) return []
  const alone = { byKey: () => ours, byReference: () => ours }
  const verdict = judgeBooking(found, alone)
  return typeof verdict === 'string' ? [] : [verdict]
}

type Listed = { bookings: Booking[]; others: string[]; unread: string[] }

async function listAll(
  books: RailBooks,
  period: { from: Date; until: Date },
  call: Call,
): Promise<Listed | null> {
  const all: Listed = { bookings: [], others: [], unread: [] }
  for (let page: string | null = null; ; ) {
    const said = await books.list({ ...period, page }, call)
    if (said === null) return null
    all.bookings.push(...said.bookings)
    all.others.push(...said.others)
    all.unread.push(...said.unread)
    if (said.next === null) return all
    page = said.next
  }
}

async function readKnown(
  pools: Reader,
  { at, sources }: { at: AtRail; sources: readonly MoveRows[] },
  bookings: readonly Booking[],
): Promise<KnownMoves> {
  const [byKey, byReference] = [new Map<string, OurMove>(), new Map<string, OurMove>()]
  for (let from = 0; from < bookings.length; from += namedAtOnce) {
    const some = bookings.slice(from, from + namedAtOnce)
    const names = {
      keys: some.flatMap(({ key }) => key ?? []),
      references: some.flatMap(({ key, reference, hold }) =>
        key === null ? [reference, hold ?? []].flat() : [],
      ),
    }
    const rows = await Promise.all(sources.map((source) => source.named(pools, { ...at, ...names })))
    for (const one of rows.flat()) {
      byKey.set(`${one.kind} ${one.key}`, one)
      if (one.reference !== null) byReference.set(`${one.kind} ${one.reference}`, one)
    }
  }
  return {
    byKey: (kind, key) => byKey.get(`${kind} ${key}`),
    byReference: (kind, reference) => byReference.get(`${kind} ${reference}`),
  }
}

async function findAll(
  books: RailBooks,
  missing: readonly OurMove[],
  call: Call,
): Promise<readonly (Booking | 'nothing')[] | null> {
  const found: (Booking | 'nothing')[] = []
  for (let from = 0; from < missing.length; from += askedAtOnce) {
    const answers = await Promise.all(
      missing
        .slice(from, from + askedAtOnce)
        .map(({ kind, reference }) =>
          reference === null ? ('nothing' as const) : books.find({ kind, reference }, call),
        ),
    )
    for (const answer of answers) {
      if (answer === null) return null
      found.push(answer)
    }
  }
  return found
}

function countByWord(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const words = { capture: 'capture', refund: 'refund', failed_refund: 'failed refund' } as const

/** A difference in one line: what it is about first. */
export function describeDifference(difference: Difference): string {
  const { kind, move, made, key, subject, reference, here, there } = difference
  const money = (of: Pick<Booking, 'amount' | 'currency'> | null) =>
    of === null ? 'nothing' : `${formatMoney(of.amount, of.currency)} (${of.currency})`
  const named = `${subject === null ? '' : `${subject}: `}${words[move]} ${reference}`
  switch (kind) {
    case 'only_there':
      return made === 'elsewhere'
        ? `${named} of ${money(there)} is only at the rail, and was made elsewhere`
        : `${named} of ${money(there)} is only at the rail, under the key ${key}`
    case 'only_here':
      return `${named} of ${money(here)} is only here`
    case 'another_amount':
    case 'another_currency':
      return `${named} is ${money(here)} here and ${money(there)} at the rail`
    default:
      return kind satisfies never
  }
}

/** The day before the one that it is, by UTC. */
export async function yesterday(pools: Reader): Promise<Date> {
  const now = (await readDatabaseTime(pools)).getTime()
  return new Date((Math.floor(now / dayMs) - 1) * dayMs)
}

/** What the database alone cannot show: that the books of the rail have what our rows say was moved on a day. */
export function dayInvariant(
  booked: BookedRail,
  { sources, dayOf = yesterday }: { sources: readonly MoveRows[]; dayOf?: typeof yesterday },
): Invariant {
  return {
    id: 'M6-rail-day',
    title:
      'The books of the payment rail and the database have the same captures and refunds of yesterday (UTC)',
    async check({ pools }) {
      const said = await reconcileDay(pools, booked, { day: await dayOf(pools), sources })
      if (said === null)
        return {
          checked: 0,
          violations: [],
          notAsked: { reason: 'the payment rail did not answer', isFault: true },
        }
      const violations = [
        ...said.differences.map(describeDifference),
        ...said.unread.map((id) => `${id} is not understood`),
      ]
      return { checked: said.here + said.there, violations: violations.slice(0, violationsMax) }
    },
  }
}
