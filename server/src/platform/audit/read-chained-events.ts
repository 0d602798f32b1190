import type { Reads, Tenant } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import { type PackedEvent, packedColumns } from '../events/relay.sql.ts'
import type { TenantKey } from './audit-chain.ts'
import { digestOfStored, isTimeFiner, type ReadEvent } from './stored-events.sql.ts'

const selectEventsToChain = statement<
  ReadEvent,
  TenantKey & { aggregate_id: string; after: number; up_to: number; most: number }
>(
  'select_events_to_chain',
  `select ${packedColumns}, ${isTimeFiner} from events e
   where e.account_id = $account_id and e.mode = $mode and e.aggregate_id = $aggregate_id
     and e.sequence > $after and e.sequence <= $up_to
   order by e.sequence limit $most::int`,
)

/** An event has up to half a megabyte. */
const readAtOnce = 25

/** The events of an aggregate up to one of them, in their order, each with the digest by which the audit chain holds it. */
export async function* readChainedEvents(
  reads: Pick<Reads, 'rows'>,
  { accountId: account_id, mode }: Tenant,
  { aggregateId: aggregate_id, upTo: up_to }: { readonly aggregateId: string; readonly upTo: number },
): AsyncGenerator<{ readonly event: PackedEvent; readonly digest: Buffer }> {
  for (let after = 0; after < up_to; ) {
    const asked = { account_id, mode, aggregate_id, after, up_to, most: readAtOnce }
    const rows = await reads.rows(selectEventsToChain(asked))
    for (const row of rows) yield { event: row, digest: digestOfStored(row) }
    const last = rows.at(-1)
    // Fewer than there were: some have been erased.
    if (last === undefined) return
    after = last.sequence
  }
}
