import type { ActingContext, Mode, Reads } from '../../../contract/context.ts'
import { registryEntriesOfHosts } from './entry-of-host.ts'
import { columnsOf, type EntryRow, registryAccount } from './entry-row.ts'
import type { SeenSite } from './look-at-host.ts'
import { keepSiteLook, selectSiteLooks } from './site-looks.sql.ts'

/** A site as purchases know it: an entry of the registry, or what a look of this day has seen. `id` tells it from others. */
export type KnownSite = Pick<
  EntryRow,
  'origin' | 'host' | 'name' | 'site_name' | 'channel' | 'found' | 'looked_at' | 'more_hosts'
> & { readonly id: string }

type KnownSites = {
  /** By host. */
  readonly sites: ReadonlyMap<string, KnownSite>
  /** Of these hosts, those that nobody has added or looked at of late. */
  readonly unknown: readonly string[]
}

/** In test mode, the registry alone says what a site is. In live mode, looks say it of the sites that it does not have. */
export async function knownSites(
  reads: Pick<Reads, 'rows'>,
  mode: Mode,
  hosts: readonly string[],
): Promise<KnownSites> {
  const entries = await registryEntriesOfHosts(reads, mode, hosts)
  const others = hosts.filter((host) => !entries.has(host))
  if (mode !== 'live' || others.length === 0) return { sites: entries, unknown: others }
  const looks = await reads.rows(selectSiteLooks({ account_id: registryAccount, mode, hosts: others }))
  const spoken = looks.filter(({ found }) => found.length > 0)
  return {
    sites: new Map<string, KnownSite>([
      ...entries,
      ...spoken.map((look): [string, KnownSite] => [look.host, siteOf(look)]),
    ]),
    unknown: others.filter((host) => !looks.some((look) => look.host === host)),
  }
}

function siteOf({ origin, found, looked_at }: SeenSite & { looked_at: Date }): KnownSite {
  const { site_name } = columnsOf(found)
  return {
    id: origin,
    origin,
    host: new URL(origin).host,
    name: null,
    site_name,
    channel: null,
    found,
    looked_at,
    more_hosts: [],
  }
}

const goodHours = { spoken: 24, silent: 1 }

/** Keeps what a look has seen, for a day, or for an hour where nothing was found. */
export function keepSeenSite({ tx, tenant }: Pick<ActingContext, 'tx' | 'tenant'>, seen: SeenSite): void {
  const { host, origin, found } = seen
  const good_seconds = (found.length > 0 ? goodHours.spoken : goodHours.silent) * 3600
  const { mode } = tenant
  tx.write(
    keepSiteLook({
      account_id: registryAccount,
      mode,
      host,
      origin,
      found: JSON.stringify(found),
      good_seconds,
    }),
  )
}
