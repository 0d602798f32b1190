import type { ActingContext, Mode } from '../../../contract/context.ts'
import { checkTargetUrl, targetRefusals } from '../../../platform/egress/target.ts'
import { deleteEntry, insertEntry, lockEntry, selectEntryOfOrigin } from './entries.sql.ts'
import { columnsOf, type EntryRow, registryAccount } from './entry-row.ts'
import { isSpoken, type RegistryChannel } from './found-protocol.ts'
import { operatedEntry } from './operated-entry.ts'

/** The origin that an operator names as a domain or as an origin; a sentence where it is none. */
export function originNamed(
  given: string,
  { mode, allowLoopback }: { mode: Mode; allowLoopback: boolean },
): { origin: string } | { refusal: string } {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`
  const verdict = checkTargetUrl(text, { allowLoopback: mode === 'test' && allowLoopback })
  if (!verdict.ok) return { refusal: `${given} ${targetRefusals[verdict.reason]}.` }
  const { url } = verdict
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return { refusal: `${given} must be a domain or an origin, without a path.` }
  return { origin: url.origin }
}

/** The host that an operator names; a sentence where it is none that a browser may be sent to. */
export function hostNamed(given: string): { host: string } | { refusal: string } {
  const named = originNamed(given, { mode: 'live', allowLoopback: false })
  if ('refusal' in named) return named
  const { protocol, host, hostname, port } = new URL(named.origin)
  const isName = /[a-z]/.test(hostname) && hostname.includes('.') && !hostname.startsWith('*')
  if (protocol !== 'https:' || port !== '' || !isName)
    return { refusal: `${given} must be the name of a host, such as checkout.example, without a port.` }
  return { host }
}

type NewEntry = {
  readonly origin: string
  readonly channel: RegistryChannel | null
  readonly name: string | null
  readonly hosts?: readonly string[]
}

/** Adds a site to the registry of `ctx.tenant.mode`; null where it is there already. It is looked at as soon as a worker has time. */
export async function addEntry(
  ctx: ActingContext,
  { origin, channel, name, hosts = [] }: NewEntry,
): Promise<EntryRow | null> {
  const { mode } = ctx.tenant
  const key = { account_id: registryAccount, mode }
  if (await ctx.tx.maybe(selectEntryOfOrigin({ ...key, origin }))) return null
  const row: EntryRow = {
    ...key,
    ...columnsOf([]),
    id: ctx.newId('reg'),
    origin,
    host: new URL(origin).host,
    name,
    channel,
    evidence: [],
    failures: 0,
    looked_at: null,
    seq: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
    due_at: channel === null || isSpoken(channel) ? ctx.now : null,
    more_hosts: hosts,
  }
  ctx.tx.write(insertEntry(row))
  ctx.tx.emit({ type: 'registry_entry.added', aggregateId: row.id, sequence: 1, object: operatedEntry(row) })
  ctx.tx.wake('registry_entries')
  return row
}

/** Removes a site; false where it is not there. A look under way writes nothing any more. */
export async function removeEntry(ctx: ActingContext, id: string): Promise<boolean> {
  const key = { account_id: registryAccount, mode: ctx.tenant.mode, id }
  const row = await ctx.tx.maybe(lockEntry(key))
  if (!row) return false
  ctx.tx.write(deleteEntry(key))
  ctx.tx.emit({
    type: 'registry_entry.removed',
    aggregateId: row.id,
    sequence: row.seq + 1,
    object: operatedEntry(row),
  })
  return true
}
