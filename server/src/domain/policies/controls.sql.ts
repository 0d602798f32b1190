import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

export type ControlRow = {
  frozen: boolean
  frozen_profile_ids: string[]
  frozen_agent_ids: string[]
}

/** What every release of money locks first, in share mode: a freeze waits for those under way, and whoever comes after it sees it. */
export const lockControlForShare = statement<ControlRow, Tenanted>(
  'lock_control',
  `select frozen, frozen_profile_ids, frozen_agent_ids from controls where account_id = $account_id and mode = $mode for share`,
)

/**
 * Whether the acting key may still act, for the agent that it acted for; true where no key acts. After `lockControl`, and a statement
 * of its own: a revocation holds the control row, and the statement that waited for it there still sees the key as it was before.
 */
export const selectKeyIsLive = statement<
  { is_live: boolean },
  Tenanted & { key_id: string | null; agent_id: string | null }
>(
  'select_key_is_live',
  `select $key_id::text is null or exists (
     select 1 from api_keys
     where account_id = $account_id and mode = $mode and id = $key_id and agent_id = $agent_id and revoked_at is null
       and (expires_at is null or expires_at > prokura_now())) as is_live`,
)

/**
 * Whether an agent still has authority: a key of it that lives, whichever. Rolling a key changes nothing; revoking the last one does.
 * After `lockControl`, as `selectKeyIsLive`.
 */
export const selectAgentIsLive = statement<{ is_live: boolean }, Tenanted & { agent_id: string | null }>(
  'select_agent_is_live',
  `select $agent_id::text is null or exists (
     select 1 from api_keys
     where account_id = $account_id and mode = $mode and agent_id = $agent_id and revoked_at is null
       and (expires_at is null or expires_at > prokura_now())) as is_live`,
)

/** Whether anything of a purchase is frozen: its account, its profile, or the agent that created it. */
export function isFrozen(
  control: Pick<ControlRow, 'frozen' | 'frozen_profile_ids' | 'frozen_agent_ids'>,
  of: { profileId: string; agentId: string | null },
): boolean {
  return (
    control.frozen ||
    control.frozen_profile_ids.includes(of.profileId) ||
    (of.agentId !== null && control.frozen_agent_ids.includes(of.agentId))
  )
}

export type HeldControlRow = ControlRow & { seq: number; updated_at: Date }

/** Holds the tenant's control row against every release of money; makes it where it is missing. */
export const lockControlForUpdate = statement<HeldControlRow, Tenanted & { now: Date }>(
  'hold_control',
  `insert into controls (account_id, mode, updated_at) values ($account_id, $mode, $now)
   on conflict (account_id, mode) do update set updated_at = controls.updated_at
   returning frozen, frozen_profile_ids, frozen_agent_ids, seq, updated_at`,
)

export const updateControl = statement<never, Tenanted & HeldControlRow>(
  'update_control',
  `update controls set frozen = $frozen, frozen_profile_ids = $frozen_profile_ids, frozen_agent_ids = $frozen_agent_ids, seq = $seq,
     updated_at = $updated_at
   where account_id = $account_id and mode = $mode`,
)

export type InFlightRow = {
  cart_id: string
  purchase_intent_id: string
  step: string
  state: 'sent' | 'unknown'
  since: Date
}

/**
 * External calls that may still land: somebody is making them, or nobody has heard what came of them. An order with a merchant of
 * ours is a row of our own, and none of them. Journal rows are committed under the share lock, so under `holdControl` this sees every
 * call that came before the freeze.
 */
export const selectInFlight = statement<
  InFlightRow,
  Tenanted & { profile_id: string | null; agent_id: string | null }
>(
  '',
  `select e.cart_id, e.intent_id as purchase_intent_id, e.step, e.state, e.sent_at as since
   from effects e
   join purchase_intents i on i.account_id = e.account_id and i.mode = e.mode and i.id = e.intent_id
   join carts c on c.account_id = e.account_id and c.mode = e.mode and c.id = e.cart_id
   where e.account_id = $account_id and e.mode = $mode and e.state in ('sent', 'unknown')
     and not (e.step = 'place' and c.channel = 'native')
     and ($profile_id::text is null or i.profile_id = $profile_id)
     and ($agent_id::text is null or i.api_key_id in (
       select id from api_keys where account_id = $account_id and mode = $mode and agent_id = $agent_id))
   order by e.sent_at, e.cart_id, e.step limit 1000`,
)
