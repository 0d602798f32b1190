import type { Mode } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import type { Evidence, FoundProtocol, RegistryChannel } from './found-protocol.ts'

/** Whose the entries are that an operator adds. No account has this id: nobody holds a key for it. */
export const registryAccount: Id<'acct'> = 'acct_00000000000000000000000000'

/** A site that an operator has added. */
export type EntryRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'reg'>
  origin: string
  host: string
  name: string | null
  site_name: string | null
  channel: RegistryChannel | null
  found: readonly FoundProtocol[]
  evidence: readonly Evidence[]
  speaks: readonly string[]
  rank: number
  payment_methods: readonly string[]
  payment_instruments: readonly string[]
  item_types: readonly string[]
  mpp_categories: readonly string[]
  failures: number
  looked_at: Date | null
  seq: number
  created_at: Date
  updated_at: Date
  due_at: Date | null
  /** Where a browser may go besides the shop's own domain. */
  more_hosts: readonly string[]
}

type FromFound = Pick<
  EntryRow,
  | 'found'
  | 'site_name'
  | 'speaks'
  | 'rank'
  | 'payment_methods'
  | 'payment_instruments'
  | 'item_types'
  | 'mpp_categories'
>

/** The columns that follow from what was found. What cannot be used says nothing about how one can pay. */
export function columnsOf(found: readonly FoundProtocol[]): FromFound {
  const usable = found.filter(({ status }) => status === 'live' || status === 'degraded')
  const all = (of: (one: FoundProtocol) => readonly string[]) => [...new Set(usable.flatMap(of))].sort()
  return {
    found,
    site_name: usable.find(({ site_name }) => site_name !== null)?.site_name ?? null,
    speaks: usable.map(({ protocol }) => protocol),
    rank: usable.length === 0 ? 2 : usable.some(({ status }) => status === 'live') ? 0 : 1,
    payment_methods: all((one) => one.payment_methods),
    payment_instruments: all((one) => one.payment_instruments),
    item_types: all((one) => one.item_types),
    mpp_categories: all((one) => one.categories),
  }
}
