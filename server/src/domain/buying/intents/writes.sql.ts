import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { combineReads, part } from '../../../platform/database/combine-reads.ts'
import { claimByMeansStatement, leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import { controlVersion } from '../../accounts/controls/reads.sql.ts'
import { sharedControl } from '../../accounts/controls/writes.sql.ts'
import type { CartRow } from './cart.ts'
import { cartBigints, cartTimes, lockCarts } from './carts.sql.ts'
import { intentBigints, intentTimes, intentVersion, lockIntent } from './intents.sql.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }
/** How intents and carts are leased as work. */
export const intentLeases = leaseStatements('purchase_intents')
export const cartLeases = leaseStatements('carts')

export type ClaimedIntent = Claimed & { id: Id<'pi'> }
export type ClaimedCart = Claimed & { id: Id<'cart'>; intent_id: Id<'pi'> }

/** Intents whose approval has ended, or whose execution has not begun; only the second kind needs means. */
export const claimIntents = claimByMeansStatement<
  ClaimedIntent,
  { modes: readonly Mode[]; ends_approval: readonly boolean[] }
>('purchase_intents', {
  modes: ['mode', 'mode'],
  ends_approval: [`(status = 'awaiting_approval')`, 'boolean'],
})

/** `of_ours`: by these ways, only carts of merchants of ours. */
export const claimCarts = claimByMeansStatement<
  ClaimedCart,
  { modes: readonly Mode[]; channels: readonly CartRow['channel'][] },
  { of_ours: readonly CartRow['channel'][] }
>(
  'carts',
  { modes: ['mode', 'mode'], channels: ['channel', 'text'] },
  ['intent_id'],
  '(q.merchant_account_id is not null or q.channel <> all ($of_ours::text[]))',
)

/*
 * The parts of a statement run one after the other, so that its locks are taken in their order, which is everybody's. `seen` is a row as the
 * statement saw it before it waited for any lock.
 */
const ofIntent = {
  seen_intents: part(intentVersion, []),
  intents: part(lockIntent, intentTimes, intentBigints),
  carts: part(lockCarts, cartTimes, cartBigints),
}

/** The control row in share mode, the intent, and its carts. */
export const purchaseParts = {
  seen_controls: part(controlVersion, []),
  controls: part(sharedControl, []),
  ...ofIntent,
}

export const lockPurchaseRows = combineReads('lock_purchase', purchaseParts, { isForMany: true })
export const lockIntentRows = combineReads('lock_intent_with_carts', ofIntent)

/** Run it under the cart's lock: gives the lease back until the cart is due again. */
export const restCart = statement<never, Tenanted & { id: string; due_at: Date | null }>(
  'rest_cart',
  `update carts set due_at = $due_at, lease_until = null
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** Run it under the intent's lock. */
export const restIntent = statement<never, Tenanted & { id: string; due_at: Date | null }>(
  'rest_purchase_intent',
  `update purchase_intents set due_at = $due_at, lease_until = null
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** Locked in the order in which everybody locks an intent's carts: by position, which the order of their ids is not. */
export const wakeCarts = statement<
  never,
  { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }
>(
  'wake_carts',
  `/* tenantless: the relay's batch holds events of several tenants; each cart is named with its own account_id and mode */
   update carts c set due_at = prokura_now()
   from (
     select c.account_id, c.mode, c.id from carts c
     join unnest($account_ids::text[], $modes::mode[], $ids::text[]) as named (account_id, mode, id)
       on c.account_id = named.account_id and c.mode = named.mode and c.id = named.id
     order by c.intent_id, c.position for update of c
   ) as held
   where c.account_id = held.account_id and c.mode = held.mode and c.id = held.id`,
)

/** After an unfreeze: all carts that waited for it. */
export const wakeTenantCarts = statement<never, Tenanted>(
  'wake_tenant_carts',
  `update carts c set due_at = prokura_now()
   from (select id from carts where account_id = $account_id and mode = $mode and due_at is not null and lease_until is null
         and status in ('created', 'in_progress') order by intent_id, position for update) as held
   where c.account_id = $account_id and c.mode = $mode and c.id = held.id`,
)

/** Locked in the order in which everybody locks an intent's carts. */
export const eraseAnswersOfProfiles = statement<
  never,
  { account_ids: readonly string[]; modes: readonly string[]; profile_ids: readonly string[] }
>(
  'erase_answers_of_profiles',
  `/* tenantless: the relay's batch holds events of several tenants; each profile is named with its own account_id and mode */
   update carts c set answers = null
   from (
     select c.account_id, c.mode, c.id from carts c
     join purchase_intents i on i.account_id = c.account_id and i.mode = c.mode and i.id = c.intent_id
     join unnest($account_ids::text[], $modes::mode[], $profile_ids::text[]) as named (account_id, mode, profile_id)
       on i.account_id = named.account_id and i.mode = named.mode and i.profile_id = named.profile_id
     where c.answers is not null
     order by c.intent_id, c.position for update of c
   ) as told
   where c.account_id = told.account_id and c.mode = told.mode and c.id = told.id`,
)
