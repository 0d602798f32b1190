import type { Mode, Reads } from '../../../contract/context.ts'
import { selectEntriesAtHosts } from './entries.sql.ts'
import { type EntryRow, registryAccount } from './entry-row.ts'

/**
 * The entry for purchases at a host, with its port where that is not the usual one: the host's own, else that of the same name with or
 * without `www`. A domain says nothing about the names below it, which may be other people's.
 */
export async function registryEntryOfHost(
  reads: Pick<Reads, 'rows'>,
  mode: Mode,
  host: string,
): Promise<EntryRow | null> {
  return (await registryEntriesOfHosts(reads, mode, [host])).get(host) ?? null
}

/** The same for several hosts at once. */
export async function registryEntriesOfHosts(
  reads: Pick<Reads, 'rows'>,
  mode: Mode,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, EntryRow>> {
  const asked = [...new Set(hosts.flatMap(namesOf))]
  const rows = await reads.rows(selectEntriesAtHosts({ account_id: registryAccount, mode, hosts: asked }))
  return new Map(
    hosts.flatMap((host): [string, EntryRow][] => {
      const [name, other] = namesOf(host)
      const row = rows.find((one) => one.host === name) ?? rows.find((one) => one.host === other)
      return row ? [[host, row]] : []
    }),
  )
}

/** The names under which the registry may have the sites of these URLs. */
export function siteHostsOf(urls: readonly string[]): string[] {
  return [...new Set(urls.flatMap((url) => namesOf(new URL(url).host)))]
}

/** Whether the site of a URL is among hosts that the registry has. */
export function isAtSite(hosts: ReadonlySet<string>, url: string): boolean {
  return namesOf(new URL(url).host).some((name) => hosts.has(name))
}

function namesOf(host: string): [string, string] {
  const name = host.toLowerCase()
  return [name, name.startsWith('www.') ? name.slice('www.'.length) : `www.${name}`]
}
