import type { ActingContext } from '../../../contract/context.ts'
import type { Egress } from '../../../platform/egress/egress.ts'
import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import { LeaseLost } from '../../../platform/work/lease.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import { decideLook } from './decide-look.ts'
import { type ClaimedEntry, claimDueEntries, lockHeldEntry, settleEntry } from './entries.sql.ts'
import { columnsOf, type EntryRow } from './entry-row.ts'
import type { Seen } from './found-protocol.ts'
import { lookAtSite } from './look-at-site.ts'
import { operatedEntry } from './operated-entry.ts'
import { siteTimeoutMs } from './read-document.ts'

/** Longer than the three waits of a look: documents, an older profile or a paid operation. */
export const lookLeaseSeconds = 30

/** Looks at the sites of the registry when they are due. A look can be made twice without harm. */
export function createRegistryWork({ egress }: { egress: Egress }): WorkKind<ClaimedEntry> {
  return {
    kind: 'registry_entries',
    leaseSeconds: lookLeaseSeconds,
    concurrency: 12,
    pollMs: 5000,
    claim: claimDueEntries,
    ...leaseStatements('registry_entries', { endLease: true }),
    async step(ctx, claimed) {
      const { settings, now } = ctx
      const seen = await lookAtEntry(egress, claimed, { settings, now })
      await ctx.transaction((acting) => settleLook(acting, claimed, seen))
    },
  }
}

export function lookAtEntry(
  egress: Egress,
  { origin, mode, channel }: Pick<ClaimedEntry, 'origin' | 'mode' | 'channel'>,
  { settings, now }: Pick<ActingContext, 'settings' | 'now'>,
): Promise<Seen> {
  const allowLoopback = mode === 'test' && settings.allowLoopback
  return lookAtSite({ egress, origin, mode, channel, now, allowLoopback, timeoutMs: siteTimeoutMs })
}

/** Writes what a look means, if the entry is still there and nobody else has looked since. */
export async function settleLook(
  ctx: Pick<ActingContext, 'tx' | 'now'>,
  { account_id, mode, id, lease_token }: ClaimedEntry,
  seen: Seen,
): Promise<EntryRow> {
  const row = await ctx.tx.maybe(lockHeldEntry({ account_id, mode, id, lease_token }))
  if (!row) throw new LeaseLost('the entry was removed, or looked at by somebody else')
  const { found, failures, dueAt } = decideLook({ ...row, now: ctx.now }, seen)
  const changed: EntryRow = {
    ...row,
    ...columnsOf(found),
    evidence: seen.evidence,
    failures,
    looked_at: ctx.now,
    updated_at: ctx.now,
    due_at: dueAt,
  }
  const isNew = essenceOf(changed) !== essenceOf(row)
  const written = isNew ? { ...changed, seq: row.seq + 1 } : changed
  ctx.tx.write(settleEntry(written))
  if (isNew)
    ctx.tx.emit({
      type: 'registry_entry.changed',
      aggregateId: row.id,
      sequence: written.seq,
      object: operatedEntry(written),
    })
  return written
}

/** What a change is about; times and counts alone are none. */
function essenceOf({ found }: EntryRow): string {
  return JSON.stringify(
    found.map(
      ({
        protocol,
        status,
        version,
        endpoints,
        capabilities,
        payment_methods,
        payment_instruments,
        categories,
      }) => [
        protocol,
        status,
        version,
        endpoints.map(({ transport, url }) => [transport, url]),
        capabilities,
        payment_methods,
        payment_instruments,
        categories,
      ],
    ),
  )
}
