import type { EntryRow } from './entry-row.ts'
import type { Evidence, FoundProtocol } from './found-protocol.ts'

/** An entry as operators and the audit see it, with the evidence. */
export type OperatedEntry = {
  id: string
  object: 'registry_entry'
  mode: 'test' | 'live'
  origin: string
  name: string | null
  channel: string | null
  hosts: readonly string[]
  protocols: Pick<
    FoundProtocol,
    'protocol' | 'status' | 'version' | 'endpoints' | 'capabilities' | 'failures'
  >[]
  payment_methods: readonly string[]
  payment_instruments: readonly string[]
  evidence: readonly Evidence[]
  last_checked_at: string | null
  next_check_at: string | null
  created_at: string
}

export function operatedEntry(row: EntryRow): OperatedEntry {
  return {
    id: row.id,
    object: 'registry_entry',
    mode: row.mode,
    origin: row.origin,
    name: row.name ?? row.site_name,
    channel: row.channel,
    hosts: row.more_hosts,
    protocols: row.found.map(({ protocol, status, version, endpoints, capabilities, failures }) => ({
      protocol,
      status,
      version,
      endpoints,
      capabilities,
      failures,
    })),
    payment_methods: row.payment_methods,
    payment_instruments: row.payment_instruments,
    evidence: row.evidence,
    last_checked_at: row.looked_at?.toISOString() ?? null,
    next_check_at: row.due_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
