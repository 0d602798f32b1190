import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { MerchantRow } from './merchant.ts'

type Key = { account_id: Id<'acct'>; mode: Mode }

export const merchantColumns = `account_id, mode, slug, domain, domain_verified_at, verification_token, name, mcc, country, mcc_confirmed,
  mcc_confirmed_at, country_confirmed, country_confirmed_at, test_domain, currency, tax_basis_points, seq, created_at, updated_at`

export const merchantTimes = [
  'domain_verified_at',
  'mcc_confirmed_at',
  'country_confirmed_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof MerchantRow)[]

/** An account's own merchant record in a mode, if it has one. */
export const selectMerchantRow = statement<MerchantRow, Key>(
  'select_merchant',
  `select ${merchantColumns} from merchants where account_id = $account_id and mode = $mode`,
)

/** Whom a quote of the account asks. */
export const selectMerchantOfQuote = statement<MerchantRow, Key & { id: string }>(
  'select_merchant_of_quote',
  `select ${merchantColumns} from merchants
   where account_id = (select merchant_account_id from quotes where account_id = $account_id and mode = $mode and id = $id)
     and mode = $mode`,
)

/** Held against other changes of the record, but not against orders, which only refer to it. */
export const lockMerchant = statement<MerchantRow, Key>(
  'lock_merchant',
  `select ${merchantColumns} from merchants where account_id = $account_id and mode = $mode for no key update`,
)

/** The record of an account that has none yet; of two first writers, the second waits and finds it there. */
export const insertMerchant = statement<never, MerchantRow>(
  'insert_merchant',
  `insert into merchants (${merchantColumns})
   values ($account_id, $mode, $slug, $domain, $domain_verified_at, $verification_token, $name, $mcc, $country, $mcc_confirmed,
     $mcc_confirmed_at, $country_confirmed, $country_confirmed_at, $test_domain, $currency, $tax_basis_points, $seq, $created_at, $updated_at)
   on conflict (account_id, mode) do nothing`,
)

/** Under `lockMerchant`. */
export const updateMerchantRow = statement<never, MerchantRow>(
  'update_merchant',
  `update merchants set slug = $slug, domain = $domain, domain_verified_at = $domain_verified_at,
     verification_token = $verification_token, name = $name, mcc = $mcc, country = $country,
     mcc_confirmed = $mcc_confirmed, mcc_confirmed_at = $mcc_confirmed_at, country_confirmed = $country_confirmed,
     country_confirmed_at = $country_confirmed_at, test_domain = $test_domain, currency = $currency,
     tax_basis_points = $tax_basis_points, seq = $seq, updated_at = $updated_at
   where account_id = $account_id and mode = $mode`,
)

/** A merchant as one buys from it. */
export type SellerRow = MerchantRow & {
  /** Its backend is to answer orders, and no endpoint that would has ever answered anything: no money is held for them. */
  awaits_confirmation: boolean
}

const answersOrders = `from destinations d where d.account_id = m.account_id and d.mode = m.mode and d.status = 'enabled'
       and d.event_types @> array['order.requested', 'order.confirmed', 'order.rejected']`

const sellerColumns = `${merchantColumns},
     exists (select ${answersOrders} and d.confirmed_at is null)
       and not exists (select ${answersOrders} and d.confirmed_at is not null) as awaits_confirmation`

/** An account's merchant as one buys from it. */
export const selectSeller = statement<SellerRow, Key>(
  'select_seller',
  `select ${sellerColumns} from merchants m where account_id = $account_id and mode = $mode`,
)

/** The same for those that `selectMerchantsByHosts` finds. */
export const selectSellersByHosts = statement<SellerRow, Key & { hosts: readonly string[] }>(
  'select_sellers_by_hosts',
  `select ${sellerColumns} from merchants m
   where mode = $mode and domain = any($hosts::text[]) and (domain_verified_at is not null or account_id = $account_id)`,
)

/**
 * Who sells at these hosts, as far as it concerns purchases of `account_id`: merchants with a verified domain, and the account's
 * own merchant whatever its domain has proved.
 */
export const selectMerchantsByHosts = statement<MerchantRow, Key & { hosts: readonly string[] }>(
  'select_merchants_by_hosts',
  `select ${merchantColumns} from merchants
   where mode = $mode and domain = any($hosts::text[]) and (domain_verified_at is not null or account_id = $account_id)`,
)

export const selectVerifiedHolder = statement<{ account_id: Id<'acct'> }, { mode: Mode; domain: string }>(
  'select_verified_holder',
  `select account_id from merchants where mode = $mode and domain = $domain and domain_verified_at is not null`,
)

/** Another account whose verified domain is one of these: the wanted one, or one above it. */
export const selectTestDomainHolder = statement<
  { account_id: Id<'acct'> },
  Key & { names: readonly string[] }
>(
  'select_test_domain_holder',
  `select account_id from merchants
   where mode = $mode and domain = any($names::text[]) and domain_verified_at is not null and account_id <> $account_id
   limit 1`,
)

/** What else a merchant's setup consists of, and since when the account exists. */
export type SetupFacts = {
  account_created_at: Date
  published_items: number
  order_destinations: number
  quote_responders: number
}

/** Whoever answers orders subscribes to all three events of the answer, and has confirmed its endpoint; the count of items stops at the first. */
export const setupColumns = `a.created_at as account_created_at,
     (select count(*)::int from (select 1 from catalog_items i
       where i.account_id = $account_id and i.mode = $mode and i.status = 'published' limit 1) as first_one) as published_items,
     (select count(*)::int from destinations d
       where d.account_id = $account_id and d.mode = $mode and d.status = 'enabled' and d.confirmed_at is not null
         and d.event_types @> array['order.requested', 'order.confirmed', 'order.rejected']) as order_destinations,
     (select count(*)::int from destinations d
       where d.account_id = $account_id and d.mode = $mode and d.status = 'enabled' and d.confirmed_at is not null
         and d.responds_to_quotes) as quote_responders`

export const selectSetupFacts = statement<SetupFacts, Key>(
  'select_merchant_setup',
  `select ${setupColumns} from accounts a where a.id = $account_id`,
)
