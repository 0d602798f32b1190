import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'

/** From its commit on, events of the tenant are relayed with `isHeard`. There is no way back. */
export const listenToTenant = statement<never, { account_id: Id<'acct'>; mode: Mode; now: Date }>(
  'listen_to_tenant',
  `insert into event_listeners (account_id, mode, since) values ($account_id, $mode, $now) on conflict do nothing`,
)
