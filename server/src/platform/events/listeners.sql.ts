import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'

/** After its commit, events of the tenant are relayed with `isHeard`. This cannot be undone. */
export const listenToTenant = statement<never, { account_id: Id<'acct'>; mode: Mode; now: Date }>(
  'listen_to_tenant',
  `insert into event_listeners (account_id, mode, since) values ($account_id, $mode, $now) on conflict do nothing`,
)
