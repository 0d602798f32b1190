import type { Mode } from '../../../contract/context.ts'
import type { CheckedBy, InvariantResult } from '../../../platform/audit/invariants.ts'
import { walkRows } from '../../../platform/audit/walk-rows.ts'
import { unpackText } from '../../../platform/events/packed-text.ts'
import {
  type AnnouncedCart,
  type PurchaseEnd,
  type PurchaseEvent,
  selectAnnouncedCarts,
  selectPurchaseEnds,
  selectPurchaseEvents,
} from './invariants.sql.ts'
import { cartMachine, firstStatus, intentMachine } from './machine.ts'

/** What the event of a purchase shows, as far as it is checked. */
type Told = {
  readonly status: string
  readonly carts: readonly {
    readonly id: string
    readonly status: string
    readonly can_retry: boolean
    readonly can_cancel: boolean
  }[]
}

/** Before every key. */
const first: { account_id: string; mode: Mode; id: string } = { account_id: '', mode: 'test', id: '' }

/** S1: consecutive events of a purchase show consecutive states, of the purchase and of each of its carts. */
export function checkPaths({ pools }: CheckedBy): Promise<InvariantResult> {
  let purchase = ''
  /** The last state of the purchase and of its carts, by id. */
  let states = new Map<string, string>()
  const { account_id, mode } = first
  const begins = { account_id, mode, aggregate_id: '', sequence: 0 }
  return walkRows(
    pools,
    { read: selectPurchaseEvents, first: begins },
    ({ account_id, mode, aggregate_id, object_bytes }: PurchaseEvent) => {
      const name = `${account_id} ${mode} ${aggregate_id}`
      if (name !== purchase) states = new Map()
      purchase = name
      const { status, carts } = toldBy(object_bytes)
      const broken = [
        ...(isStep(states.get(aggregate_id) ?? null, status) ? [] : [aggregate_id]),
        ...carts.filter((cart) => !isCartStep(states.get(cart.id), cart.status)).map(({ id }) => id),
      ]
      states.set(aggregate_id, status)
      for (const cart of carts) states.set(cart.id, cart.status)
      return { checked: 1 + carts.length, broken }
    },
  )
}

/** S2: the last event shows the same as the row, so does the last event of the purchase itself, and no sequence is missing. */
export function checkEnds({ pools }: CheckedBy): Promise<InvariantResult> {
  return walkRows(pools, { read: selectPurchaseEnds, first }, (row: PurchaseEnd) => {
    const { id, seq, status, events, last, last_bytes, heard_bytes } = row
    const isWhole = events === seq && last === seq
    const isTold = statusIn(last_bytes) === status && statusIn(heard_bytes) === status
    return { checked: 1, broken: isWhole && isTold ? [] : [id] }
  })
}

/** S4: what the last event announced of a cart follows from its row. */
export function checkAnnounced({ pools }: CheckedBy): Promise<InvariantResult> {
  return walkRows(pools, { read: selectAnnouncedCarts, first }, (row: AnnouncedCart) => {
    const told = row.object_bytes && toldBy(row.object_bytes).carts.find((cart) => cart.id === row.id)
    if (!told) return { checked: 0, broken: [] }
    const { status, attempt_number, max_attempts, outcome_known } = row
    const mayRetry = status === 'failed' && outcome_known && attempt_number < max_attempts
    const mayCancel = ['created', 'in_progress', 'awaiting_merchant_auth'].includes(status)
    const isBroken =
      attempt_number > max_attempts || (told.can_retry && !mayRetry) || (told.can_cancel && !mayCancel)
    return { checked: 1, broken: isBroken ? [row.id] : [] }
  })
}

function isStep(before: string | null, status: string): boolean {
  if (before === null) return (Object.values(firstStatus) as string[]).includes(status)
  return before === status || movesFrom(intentMachine, before).includes(status)
}

function isCartStep(before: string | undefined, status: string): boolean {
  return before === undefined || before === status || movesFrom(cartMachine, before).includes(status)
}

function movesFrom(
  table: Readonly<Record<string, Readonly<Record<string, string>>>>,
  from: string,
): readonly string[] {
  return Object.values(table[from] ?? {})
}

function statusIn(bytes: Buffer | null): string | null {
  return bytes && toldBy(bytes).status
}

/** Every event of a purchase shows it, or one of its carts with its status. */
function toldBy(bytes: Buffer): Told {
  return JSON.parse(unpackText(bytes)) as Told
}
