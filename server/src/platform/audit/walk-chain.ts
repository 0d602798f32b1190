import type { Pools } from '../database/pool.ts'
import { type EntryRow, selectEntries } from './audit.sql.ts'
import type { TenantKey } from './audit-chain.ts'
import type { AuditKeys } from './audit-keys.ts'
import { type BatchRow, selectBatches } from './batches.sql.ts'
import { type AuditBreak, type ChainToCheck, LinkCheck } from './check-links.ts'
import { type StoredEvent, selectStoredEvents, storedEvent } from './stored-events.sql.ts'

type ChainToWalk = ChainToCheck & {
  /** The last position that a row of the chain has. */
  last: bigint
}

type Walked = { entries: number; broken: AuditBreak | null }

/** Positions, each an event: what is read at once. */
const pageSize = 512n
/** While one page is compared, the database prepares the next ones. */
const pagesAhead = 2

/** Verifies one chain from its first entry up to its first break. Without keys, signatures are not checked. */
export async function walkChain(
  pools: Pick<Pools, 'read'>,
  keys: AuditKeys | null,
  chain: ChainToWalk,
): Promise<Walked> {
  const check = new LinkCheck(keys, chain)
  for await (const links of pagesOf(pools, chain)) {
    for (const link of links) {
      const broken =
        'entry' in link ? check.takeEntry(link.entry) : check.takeBatch(link.batch, otherEvents(link))
      if (broken) return { entries: check.entries, broken }
    }
  }
  return { entries: check.entries, broken: check.wrongAtTheEnd() }
}

type BatchLink = { position: bigint; batch: BatchRow; stored: StoredEvent[] }
type Link = { position: bigint; entry: EntryRow } | BatchLink

/** Which events there are where those of a batch are not as it says. */
function otherEvents({ batch, stored }: BatchLink): StoredEvent[] | null {
  return Buffer.concat(stored.map(({ digest }) => digest)).equals(batch.digests) ? null : stored
}

/** The relay runs on meanwhile: the chain is read up to its end at the start. */
async function* pagesOf(
  pools: Pick<Pools, 'read'>,
  { tenant, head, last }: ChainToWalk,
): AsyncGenerator<Link[]> {
  const end = head === null || head.position > last ? last : head.position
  const ahead: Promise<Link[]>[] = []
  let after = 0n
  while (after < end || ahead.length > 0) {
    while (after < end && ahead.length <= pagesAhead) {
      const upTo = after + pageSize < end ? after + pageSize : end
      const page = readPage(pools, tenant, { after, up_to: upTo })
      // A page that nobody asks for any more may fail.
      page.catch(() => undefined)
      ahead.push(page)
      after = upTo
    }
    yield (await ahead.shift()) ?? []
  }
}

async function readPage(
  pools: Pick<Pools, 'read'>,
  tenant: TenantKey,
  part: { after: bigint; up_to: bigint },
): Promise<Link[]> {
  const [entries, batches, stored] = await Promise.all([
    pools.read(selectEntries({ ...tenant, ...part })),
    pools.read(selectBatches({ ...tenant, ...part })),
    pools.read(selectStoredEvents({ ...tenant, ...part })),
  ])
  const events = Map.groupBy(stored, (row) => row.last_position)
  const links: Link[] = [
    ...entries.map((entry) => ({ position: entry.position, entry })),
    ...batches.map((batch) => ({
      position: batch.last_position,
      batch,
      stored: (events.get(batch.last_position) ?? []).map(storedEvent),
    })),
  ]
  if (entries.length === 0 || batches.length === 0) return links
  return links.sort((a, b) => (a.position < b.position ? -1 : 1))
}
