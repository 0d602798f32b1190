import type { ActingContext, Mode } from '../../../contract/context.ts'
import type { Follower } from '../../../platform/events/follower.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import { type NamedRail, type RailEventPage, type Rails, timing } from '../rails/public.ts'
import {
  beginEventFeeds,
  type ClaimedEventFeed,
  claimEventFeeds,
  eventFeedLeases,
  lockHeldEventFeed,
  restEventFeed,
} from './feed.sql.ts'
import { railAccount, takeEvent } from './take-event.ts'

/** As in `ctx.tx.wake(kind)`. */
const feedKind = 'rail_event_feeds'

/** How soon a rail is asked again after a page without news. What it tells by itself comes at once. */
const lookAgainSeconds = 300

/** The rail of a mode whose payments can be disputed; null: this process has none. */
function disputedRail(rails: Rails, mode: Mode): NamedRail | null {
  const tenant = { accountId: railAccount, mode }
  const all = [rails.of(tenant), rails.shared.of(tenant)]
  return all.find((one) => one?.rail.listEvents !== undefined) ?? null
}

/** The modes that have one. */
export function disputedModes(rails: Rails): readonly Mode[] {
  const modes: readonly Mode[] = ['test', 'live']
  return modes.filter((mode) => disputedRail(rails, mode) !== null)
}

/** Reads what has happened at the rails, for those that nobody has told us of. */
export function eventFeedWork(rails: Rails): WorkKind<ClaimedEventFeed> {
  const modes = disputedModes(rails)
  return {
    kind: feedKind,
    leaseSeconds: timing.leaseSeconds,
    concurrency: 1,
    serves: modes.map((mode) => ({ mode })),
    claim: (turn) => claimEventFeeds({ ...turn, modes }),
    ...eventFeedLeases,
    async step(ctx, row) {
      const paid = disputedRail(rails, row.mode)
      if (paid === null) throw new Error(`this worker has no rail of ${row.mode} mode`)
      const call = { mode: row.mode, timeoutMs: timing.longestCallMs }
      const page = (await paid.rail.listEvents?.(row.position, call)) ?? null
      await ctx.transaction((acting) => storePage(acting, row, { page, rail: paid.name }))
    },
  }
}

/** The events and how far they go are one transaction: what was not stored is read again. */
async function storePage(
  ctx: ActingContext,
  row: ClaimedEventFeed,
  { page, rail }: { page: RailEventPage | null; rail: string },
): Promise<void> {
  const { account_id, mode, id, lease_token } = row
  expectHeld(await ctx.tx.rows(lockHeldEventFeed({ account_id, mode, id, lease_token })))
  let position = row.position
  let isWhole = page !== null
  for (const event of page?.events ?? []) {
    // guard early-events-hold-the-page: what may be ours is read again, with all that is behind it
    if ((await takeEvent(ctx, { mode, rail, event })) === 'too_early') {
      isWhole = false
      break
    }
    position = event.id
  }
  if (page !== null && isWhole) position = page.next
  const hasMoved = position !== row.position && isWhole
  ctx.tx.write(restEventFeed({ account_id, mode, id, position, seconds: hasMoved ? 0 : lookAgainSeconds }))
  if (hasMoved) ctx.tx.wake(feedKind)
}

/** Once something is captured in live mode, it can be disputed. */
export const beginWithCaptures: Follower = {
  name: 'rail-events',
  types: ['payment.captured', 'order.placed'],
  isPatient: true,
  follow(tx, events) {
    if (!events.some(({ tenant }) => tenant.mode === 'live')) return
    tx.write(beginEventFeeds({ account_id: railAccount, modes: ['live'], id: 'events', now: tx.now }))
    tx.wake(feedKind)
  },
}
