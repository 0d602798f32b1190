import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { Freezes } from './freezes.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/**
 * Every release of money locks this row first, in share mode: a freeze waits for releases under way, and a later release sees the freeze.
 */
export const lockControlForShare = statement<Freezes & { version: string }, Tenanted>(
  'lock_control',
  // guard control-is-locked: a freeze waits for releases of money that have begun, and later ones see it
  // guard tenant-of-control: rows of other accounts and of the other mode do not exist for the caller
  `select frozen, frozen_profile_ids, frozen_agent_ids, xmin::text as version from controls
   where account_id = $account_id and mode = $mode for share`,
)

/** A control row that is locked against every release of money. */
export type HeldControl = Freezes & { seq: number; updated_at: Date }

/** Locks the tenant's control row against every release of money; makes it where it is missing. */
export const lockControlForUpdate = statement<HeldControl, Tenanted & { now: Date }>(
  'hold_control',
  `insert into controls (account_id, mode, updated_at) values ($account_id, $mode, $now)
   on conflict (account_id, mode) do update set updated_at = controls.updated_at
   returning frozen, frozen_profile_ids, frozen_agent_ids, seq, updated_at`,
)

export const updateControl = statement<never, Tenanted & HeldControl>(
  'update_control',
  // guard tenant-of-written-control: rows of other accounts and of the other mode do not exist for the caller
  `update controls set frozen = $frozen, frozen_profile_ids = $frozen_profile_ids, frozen_agent_ids = $frozen_agent_ids, seq = $seq,
     updated_at = $updated_at
   where account_id = $account_id and mode = $mode`,
)

/** Every release of money locks this row in share mode: once we hold it, no call with a key is half-way through one. */
export const lockControlAlone = statement<{ seq: number }, Tenanted>(
  'lock_control_alone',
  // guard revocation-waits: once a key is revoked nothing that it released commits any more
  `select seq from controls where account_id = $account_id and mode = $mode for update`,
)

export const insertControl = statement<never, Tenanted & { seq: number; now: Date }>(
  'insert_control',
  `insert into controls (account_id, mode, seq, updated_at) values ($account_id, $mode, $seq, $now)`,
)

/** Run it under a lock of the row. */
export const updateSequence = statement<never, Tenanted & { seq: number; now: Date }>(
  'update_control_sequence',
  `update controls set seq = $seq, updated_at = $now where account_id = $account_id and mode = $mode`,
)

/**
 * Locks the row like `lockControlForShare`, and ends the transaction with a serialization failure where it freezes the purchase. So it
 * can travel with the commit, and the lock is not held while an answer is on its way.
 */
export const requireUnfrozenRow = statement<
  never,
  Tenanted & { profile_id: string; agent_id: string | null }
>(
  'hold_unfrozen',
  // guard held-unless-frozen: a purchase that was allowed before a freeze is not held after it
  `with control as (
     select frozen or $profile_id = any(frozen_profile_ids) or coalesce($agent_id = any(frozen_agent_ids), false) as is_frozen
     from controls where account_id = $account_id and mode = $mode for share)
   select refuse_stale_decision() from control where is_frozen`,
)
