import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate } from '../../../platform/aggregate/aggregate.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import type { PromotionRow } from './promotion.ts'

type Key = { account_id: Id<'acct'>; mode: Mode; id: string }

/** Its counter is written by its uses alone. */
const promotions = aggregate<Omit<PromotionRow, 'uses' | 'discount_amount'>>()({
  table: 'promotions',
  columns: `account_id, mode, id, name, status, market_id, currency, starts_at, ends_at, arms, caps, identity_rule, targets, code, metadata,
    due_at, seq, created_at, updated_at, published_at, ended_at, archived_at`,
  key: ['id'],
  json: ['arms', 'caps', 'targets', 'metadata'],
})
/** The columns of a promotion itself, which is `p`. */
export const columns = promotions.columnsOf('p')

export const insertPromotion = promotions.insert('insert_promotion')
/** Run it under `lockPromotion`. */
export const updatePromotionRow = promotions.update('update_promotion', { endsLease: true })

export const insertCounter = statement<never, Key>(
  'insert_promotion_counter',
  `insert into promotion_counters (account_id, mode, promotion_id) values ($account_id, $mode, $id)`,
)

const withUses = `${columns}, c.uses, c.discount_amount`
const counted = `promotions p join promotion_counters c
  on c.account_id = p.account_id and c.mode = p.mode and c.promotion_id = p.id`

export const selectPromotion = statement<PromotionRow, Key>(
  'select_promotion',
  `select ${withUses} from ${counted} where p.account_id = $account_id and p.mode = $mode and p.id = $id`,
)

/** Locked against other changes of the promotion; its uses continue. */
export const lockPromotion = statement<PromotionRow, Key>(
  'lock_promotion',
  `select ${withUses} from ${counted} where p.account_id = $account_id and p.mode = $mode and p.id = $id
   for no key update of p`,
)

type PromotionFilter = {
  account_id: Id<'acct'>
  mode: Mode
  status: string | null
  market_id: string | null
  q: string | null
}

// A promotion that time has moved is found under its present status, also before that is written down.
const filter = `p.account_id = $account_id and p.mode = $mode
  and ($market_id::text is null or p.market_id = $market_id)
  and ($q::text is null or p.search like $q)
  and ($status::text is null or $status = case
    when p.status in ('scheduled', 'active', 'paused') and p.ends_at <= prokura_now() then 'ended'
    when p.status = 'scheduled' and p.starts_at <= prokura_now() then 'active'
    else p.status end)`

export const selectPromotions = statement<PromotionRow, PromotionFilter & { limit: number; offset: number }>(
  '',
  `select ${withUses} from ${counted} where ${filter} order by p.id desc limit $limit + 1 offset $offset`,
)

export const countPromotions = statement<{ counted: number }, PromotionFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from promotions p where ${filter} limit $cap + 1) as first_ones`,
)

export type ClaimedPromotion = Claimed & { id: Id<'promo'> }

/** Only promotions that time moves are ever due. */
export const claimDuePromotions = claimStatement<ClaimedPromotion>('promotions')

/** For the worker that claimed it, as long as its lease is the last one. */
export const lockDuePromotion = statement<PromotionRow, Key & { lease_token: bigint }>(
  'lock_due_promotion',
  `select ${withUses} from ${counted}
   where p.account_id = $account_id and p.mode = $mode and p.id = $id and p.lease_token = $lease_token
   for no key update of p`,
)
