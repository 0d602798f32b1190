import type { ActingContext, Mode } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { type ActingParts, runAs } from '../../../platform/calls/run-as.ts'
import type { RailEvent } from '../rails/public.ts'
import { insertEvent, selectDisputed, tellOfDispute } from './disputes.sql.ts'

/** Of no account that anybody can open: a rail reports for all. */
export const railAccount: Id<'acct'> = 'acct_00000000000000000000000000'

/**
 * `followed`: its dispute is looked at. `known`: it came before. `foreign`: it is about money of somebody else at the same account of the
 * rail. `too_early`: nobody here knows its hold, and it is so young that our own row may not be written yet.
 */
type Taken = 'followed' | 'known' | 'foreign' | 'too_early'

/** How long after an event the row of its hold is there, whatever the worker that has made the hold is up to. */
const knownWithinMs = 15 * 60_000

type Reported = { readonly mode: Mode; readonly rail: string; readonly event: RailEvent }

/** Takes an event that a rail has sent here. */
export function takeRailEvent(parts: ActingParts, reported: Reported): Promise<Taken> {
  const tenant = { accountId: railAccount, mode: reported.mode }
  return runAs(parts, { tenant, actor: { type: 'system', id: 'rail_events' } }, (ctx) =>
    takeEvent(ctx, reported),
  )
}

/** Writes down that it came, and has its dispute looked at. Nothing that it says is believed but which dispute of which hold it is about. */
export async function takeEvent(ctx: ActingContext, { mode, rail, event }: Reported): Promise<Taken> {
  const { id, type, dispute, hold, happenedAt: happened_at } = event
  const owner = await ctx.tx.maybe(selectDisputed({ mode, hold }))
  // guard early-events-come-again: an event of a hold whose row is on its way is not taken for somebody else's
  if (owner === null && ctx.now.getTime() - happened_at.getTime() < knownWithinMs) return 'too_early'
  const account_id = owner?.account_id ?? null
  const [isNew] = await ctx.tx.rows(
    insertEvent({ mode, id, type, object_id: dispute, account_id, happened_at, received_at: ctx.now }),
  )
  if (isNew === undefined) return 'known'
  if (owner === null) return 'foreign'
  ctx.tx.write(tellOfDispute({ ...owner, mode, id: dispute, rail, hold, now: ctx.now }))
  ctx.tx.wake('disputes')
  return 'followed'
}
