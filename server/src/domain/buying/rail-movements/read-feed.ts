import type { ActingContext, Mode } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { Id } from '../../../core/id.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import type { StepContext, WorkKind } from '../../../platform/work/work.ts'
import { wakeCarts } from '../intents/writes.sql.ts'
import { type MovementPage, type Rails, timing } from '../rails/public.ts'
import {
  beginFeed,
  type ClaimedFeed,
  claimFeeds,
  feedLeases,
  lockHeldFeed,
  matchKept,
  restFeed,
  type Stored,
  storeMovements,
} from './movements.sql.ts'

/** How many movements of each kind were read, or kept, or refused. */
export type CountMovements = (outcome: 'known' | 'kept' | 'unread' | 'refused', count: number) => void

/** Bound by processes that read movements. */
export const MovementCount = definePort<CountMovements>('movement count')

/** As in `ctx.tx.wake(kind)`. */
const feedKind = 'rail_feeds'

/** Of no account that anybody can open: a rail reports for all. */
const feedAccount: Id<'acct'> = 'acct_00000000000000000000000000'

/** How soon a rail is asked again: after a page with news, and at most after pages without any. */
const feedPace = { newsSeconds: 2, idleMaxSeconds: 60 } as const

/** How many movements without a cart, of which age, are compared with new credentials at each look. */
const matchedMax = 1_000
const matchedSeconds = 600

/** Reads what the rails report, page by page, and makes the carts due that it is about. They look for themselves what stands. */
export function feedWork(rails: Rails, count: CountMovements): WorkKind<ClaimedFeed> {
  const railOf = (mode: Mode) => rails.of({ accountId: feedAccount, mode })?.rail ?? null
  const modes = rails.modes.filter((mode) => railOf(mode)?.listMovements !== undefined)
  return {
    kind: feedKind,
    leaseSeconds: timing.leaseSeconds,
    concurrency: 1,
    serves: modes.map((mode) => ({ mode })),
    claim: (turn) => claimFeeds({ ...turn, modes }),
    ...feedLeases,
    async step(ctx, row) {
      const rail = railOf(row.mode)
      const page =
        (await rail?.listMovements?.(row.position, { mode: row.mode, timeoutMs: timing.longestCallMs })) ??
        null
      await ctx.faults.at('movements.read')
      const stored = await ctx.transaction((acting) => storePage(acting, row, page))
      tell(ctx, page, stored, count)
    },
  }
}

/** There is something to read soon. */
export function expectMovements(ctx: ActingContext): void {
  const { mode } = ctx.tenant
  ctx.tx.write(beginFeed({ account_id: feedAccount, mode, id: 'movements', seconds: feedPace.newsSeconds }))
}

/** The page and how far it goes are one transaction: what was not stored is read again. */
async function storePage(
  ctx: ActingContext,
  row: ClaimedFeed,
  page: MovementPage | null,
): Promise<readonly Stored[]> {
  const { account_id, mode, id, lease_token } = row
  expectHeld(await ctx.tx.rows(lockHeldFeed({ account_id, mode, id, lease_token })))
  const { movements, next } = page ?? { movements: [], next: row.position }
  const told =
    movements.length === 0
      ? []
      : await ctx.tx.rows(
          storeMovements({
            mode,
            now: ctx.now,
            ids: movements.map((one) => one.id),
            references: movements.map((one) => one.reference),
            are_refunds: movements.map((one) => one.isRefund),
            refunded: movements.map((one) => one.refundedAmount),
          }),
        )
  const matched = await ctx.tx.rows(matchKept({ mode, limit: matchedMax, seconds: matchedSeconds }))
  wakeOwners(ctx, [...told, ...matched])
  const isNew = next !== row.position
  const empty_pages = isNew ? 0 : row.empty_pages + 1
  const seconds = Math.min(feedPace.newsSeconds * 2 ** Math.min(empty_pages, 10), feedPace.idleMaxSeconds)
  ctx.tx.write(restFeed({ account_id, mode, id, position: next, empty_pages, seconds: isNew ? 0 : seconds }))
  if (isNew) ctx.tx.wake(feedKind)
  return told
}

function wakeOwners(ctx: ActingContext, stored: readonly Stored[]): void {
  const owned = new Map(stored.flatMap((one) => (one.cart_id === null ? [] : [[one.cart_id, one] as const])))
  if (owned.size === 0) return
  const rows = [...owned.values()]
  ctx.tx.write(
    wakeCarts({
      account_ids: rows.map(({ account_id }) => account_id),
      modes: rows.map(({ mode }) => mode),
      ids: [...owned.keys()],
    }),
  )
  ctx.tx.wake('carts')
}

function tell(
  { log }: Pick<StepContext, 'log'>,
  page: MovementPage | null,
  stored: readonly Stored[],
  count: CountMovements,
): void {
  const known = stored.filter(({ cart_id }) => cart_id !== null).length
  if (known > 0) count('known', known)
  if (stored.length > known) count('kept', stored.length - known)
  if (page === null || page.unread === 0) return
  count('unread', page.unread)
  log.warn({ unread: page.unread }, 'rail: it reports movements that make no sense; they are passed over')
}
