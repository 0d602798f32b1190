import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { Freezes } from './freezes.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** What every release of money locks first, in share mode: a freeze waits for those under way, and whoever comes after it sees it. */
export const lockControlForShare = statement<Freezes, Tenanted>(
  'lock_control',
  `select frozen, frozen_profile_ids, frozen_agent_ids from controls where account_id = $account_id and mode = $mode for share`,
)

/** A control row that is held against every release of money. */
export type HeldControl = Freezes & { seq: number; updated_at: Date }

/** Holds the tenant's control row against every release of money; makes it where it is missing. */
export const lockControlForUpdate = statement<HeldControl, Tenanted & { now: Date }>(
  'hold_control',
  `insert into controls (account_id, mode, updated_at) values ($account_id, $mode, $now)
   on conflict (account_id, mode) do update set updated_at = controls.updated_at
   returning frozen, frozen_profile_ids, frozen_agent_ids, seq, updated_at`,
)

export const updateControl = statement<never, Tenanted & HeldControl>(
  'update_control',
  `update controls set frozen = $frozen, frozen_profile_ids = $frozen_profile_ids, frozen_agent_ids = $frozen_agent_ids, seq = $seq,
     updated_at = $updated_at
   where account_id = $account_id and mode = $mode`,
)

/** What releases money holds this row in share mode: once we have it, nothing with a key is half-way through. */
export const lockControlAlone = statement<{ seq: number }, Tenanted>(
  'lock_control_alone',
  `select seq from controls where account_id = $account_id and mode = $mode for update`,
)

export const insertControl = statement<never, Tenanted & { seq: number; now: Date }>(
  'insert_control',
  `insert into controls (account_id, mode, seq, updated_at) values ($account_id, $mode, $seq, $now)`,
)

/** Under a lock of the row. */
export const updateSequence = statement<never, Tenanted & { seq: number; now: Date }>(
  'update_control_sequence',
  `update controls set seq = $seq, updated_at = $now where account_id = $account_id and mode = $mode`,
)

/**
 * Holds the row as `lockControlForShare` does, and ends the transaction as one that cannot be serialized where it freezes the purchase:
 * so it can travel with the commit, and nobody holds the lock while an answer is on its way.
 */
export const requireUnfrozenRow = statement<
  never,
  Tenanted & { profile_id: string; agent_id: string | null }
>(
  'hold_unfrozen',
  `with control as (
     select frozen or $profile_id = any(frozen_profile_ids) or coalesce($agent_id = any(frozen_agent_ids), false) as is_frozen
     from controls where account_id = $account_id and mode = $mode for share)
   select refuse_stale_decision() from control where is_frozen`,
)
