import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

type OfIntent = { account_id: Id<'acct'>; mode: Mode; intent_id: string }

/** How many purchases of an account are counted at most: nobody asks for more. */
export const countedMax = 10

/**
 * What is used of a day, what the purchase itself holds of it, and how many purchases of the account are held or have cost something. The
 * day is of all accounts.
 */
export const selectLiveStanding = statement<
  { used: bigint; own: bigint; is_allowed: boolean; purchases: number },
  OfIntent & { currency: string; day: string; counted_max: number }
>(
  'select_live_standing',
  `select coalesce((select d.used from live_days d where d.currency = $currency and d.day = $day::date), 0)::bigint as used,
     coalesce((select sum(h.amount) from live_holds h
       where h.account_id = $account_id and h.mode = $mode and h.intent_id = $intent_id and h.charged is null
         and h.currency = $currency and h.day = $day::date), 0)::bigint as own,
     exists (select from live_allowances a
       where a.account_id = $account_id and a.mode = $mode and a.intent_id = $intent_id) as is_allowed,
     (select count(*)::int from (
       select distinct h.intent_id from live_holds h
       where h.account_id = $account_id and h.mode = $mode and h.intent_id <> $intent_id and coalesce(h.charged, 1) > 0
       limit $counted_max) as held) as purchases`,
)

/** Refused as a stale decision where the day has no room any more: then it is decided again. The day's row is the lock. */
export const holdLiveDay = statement<
  never,
  OfIntent & { currency: string; day: string; amount: bigint; most: bigint; now: Date }
>(
  'hold_live_day',
  // guard a-day-has-its-limit: two purchases at once do not spend the last of a day twice
  `with day as (
     insert into live_days as d (currency, day, used) values ($currency, $day::date, $amount)
     on conflict (currency, day) do update set used = d.used + excluded.used
     returning d.used
   ), verdict as materialized (
     select case when day.used > $most::bigint then refuse_stale_decision() else true end as has_room from day
   )
   insert into live_holds (account_id, mode, intent_id, number, currency, day, amount, created_at)
   select $account_id, $mode::mode, $intent_id, (
       select coalesce(max(h.number), 0) + 1 from live_holds h
       where h.account_id = $account_id and h.mode = $mode and h.intent_id = $intent_id
     ), $currency, $day::date, $amount, $now::timestamptz
   from verdict where has_room`,
)

/** What it has cost stays in the day in which it was held. */
export const endLiveDay = statement<never, OfIntent & { charged: bigint }>(
  'end_live_day',
  `with ended as (
     update live_holds h set charged = least($charged::bigint, h.amount)
     where h.account_id = $account_id and h.mode = $mode and h.intent_id = $intent_id and h.charged is null
     returning h.currency, h.day, h.amount - h.charged as given_back
   )
   update live_days d set used = d.used - ended.given_back from ended where d.currency = ended.currency and d.day = ended.day`,
)

export const insertLiveAllowance = statement<never, OfIntent & { allowed_by: string; now: Date }>(
  'insert_live_allowance',
  `insert into live_allowances (account_id, mode, intent_id, allowed_by, created_at)
   values ($account_id, $mode, $intent_id, $allowed_by, $now) on conflict do nothing`,
)

/** Each day is what its purchases hold and have cost. */
export const checkLiveDays = statement<
  { checked: number; violations: string[] | null },
  Record<string, never>
>(
  'invariant_live_days',
  `/* tenantless: checks every tenant's rows, for the operator */
   with summed as (
     select currency, day, sum(coalesce(charged, amount)) as used from live_holds group by currency, day
   ), broken as (
     select currency || ' ' || day || ': ' || coalesce(d.used, 0) || ' instead of ' || coalesce(s.used, 0) as one
     from live_days d full join summed s using (currency, day)
     where coalesce(d.used, 0) <> coalesce(s.used, 0)
     order by 1 limit 100)
   select (select count(*) from live_days)::int as checked, (select array_agg(one) from broken) as violations`,
)
