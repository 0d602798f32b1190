import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import type { PromotionRow } from './promotion.ts'

type Key = { account_id: Id<'acct'>; mode: Mode; id: string }

/** A promotion as its statements take it; its counter is written by its uses alone. */
export type PromotionWrite = Omit<
  PromotionRow,
  'arms' | 'caps' | 'targets' | 'metadata' | 'uses' | 'discount_amount'
> & { arms: string; caps: string; targets: string; metadata: string }

export const insertPromotion = statement<never, PromotionWrite>(
  'insert_promotion',
  `insert into promotions (account_id, mode, id, name, status, market_id, currency, starts_at, ends_at, arms, caps, identity_rule,
     targets, metadata, due_at, seq, created_at, updated_at, published_at, ended_at, archived_at)
   values ($account_id, $mode, $id, $name, $status, $market_id, $currency, $starts_at, $ends_at, $arms, $caps, $identity_rule,
     $targets, $metadata, $due_at, $seq, $created_at, $updated_at, $published_at, $ended_at, $archived_at)`,
)

export const insertCounter = statement<never, Key>(
  'insert_promotion_counter',
  `insert into promotion_counters (account_id, mode, promotion_id) values ($account_id, $mode, $id)`,
)

const columns = `p.account_id, p.mode, p.id, p.name, p.status, p.market_id, p.currency, p.starts_at, p.ends_at, p.arms, p.caps,
  p.identity_rule, p.targets, p.metadata, p.due_at, p.seq, p.created_at, p.updated_at, p.published_at, p.ended_at, p.archived_at,
  c.uses, c.discount_amount`
const counted = `promotions p join promotion_counters c
  on c.account_id = p.account_id and c.mode = p.mode and c.promotion_id = p.id`

export const selectPromotion = statement<PromotionRow, Key>(
  'select_promotion',
  `select ${columns} from ${counted} where p.account_id = $account_id and p.mode = $mode and p.id = $id`,
)

/** Held against other changes of the promotion; its uses go on. */
export const lockPromotion = statement<PromotionRow, Key>(
  'lock_promotion',
  `select ${columns} from ${counted} where p.account_id = $account_id and p.mode = $mode and p.id = $id
   for no key update of p`,
)

/** Under `lockPromotion`. */
export const updatePromotionRow = statement<never, PromotionWrite>(
  'update_promotion',
  `update promotions set name = $name, status = $status, market_id = $market_id, currency = $currency, starts_at = $starts_at,
     ends_at = $ends_at, arms = $arms, caps = $caps, identity_rule = $identity_rule, targets = $targets, metadata = $metadata,
     due_at = $due_at, lease_until = null, seq = $seq, updated_at = $updated_at, published_at = $published_at,
     ended_at = $ended_at, archived_at = $archived_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

export type PromotionFilter = {
  account_id: Id<'acct'>
  mode: Mode
  status: string | null
  market_id: string | null
  q: string | null
}

// What time has moved is found as what it is, also before it is written down.
const filter = `p.account_id = $account_id and p.mode = $mode
  and ($market_id::text is null or p.market_id = $market_id)
  and ($q::text is null or p.search like $q)
  and ($status::text is null or $status = case
    when p.status in ('scheduled', 'active', 'paused') and p.ends_at <= prokura_now() then 'ended'
    when p.status = 'scheduled' and p.starts_at <= prokura_now() then 'active'
    else p.status end)`

export const selectPromotions = statement<PromotionRow, PromotionFilter & { limit: number; offset: number }>(
  '',
  `select ${columns} from ${counted} where ${filter} order by p.id desc limit $limit + 1 offset $offset`,
)

export const countPromotions = statement<{ counted: number }, PromotionFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from promotions p where ${filter} limit $cap + 1) as first_ones`,
)

/** What a merchant may be offering at this moment; whether it is, the promotion's own times say. */
export const selectRunningPromotions = statement<PromotionRow, { account_id: Id<'acct'>; mode: Mode }>(
  'select_running_promotions',
  `select ${columns} from ${counted}
   where p.account_id = $account_id and p.mode = $mode and p.status in ('scheduled', 'active') order by p.id limit 100`,
)

export type ClaimedPromotion = Claimed & { id: Id<'promo'> }

/** Only promotions that time moves are ever due. */
export const claimDuePromotions = claimStatement<ClaimedPromotion>('promotions')

/** Held by the worker that claimed it, as long as its lease is the last one. */
export const lockDuePromotion = statement<PromotionRow, Key & { lease_token: bigint }>(
  'lock_due_promotion',
  `select ${columns} from ${counted}
   where p.account_id = $account_id and p.mode = $mode and p.id = $id and p.lease_token = $lease_token
   for no key update of p`,
)
