import type { Mode } from '../../../contract/context.ts'
import { type Fragment, statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { orderDestinations } from '../../webhooks/destinations/reads.sql.ts'
import type { MerchantRow } from './merchant.ts'
import { merchantColumns, merchantRecord, merchantsAtHosts } from './reads.sql.ts'

type Key = { account_id: Id<'acct'>; mode: Mode }

export const merchantTimes = [
  'domain_verified_at',
  'mcc_confirmed_at',
  'country_confirmed_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof MerchantRow)[]

/** An account's own merchant record in a mode, if it has one. */
export const selectMerchantRow = statement<MerchantRow, Key>('select_merchant', merchantRecord)

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

const mayAnswer = correlate(orderDestinations, { account_id: 'm.account_id', mode: 'm.mode' })

function sellersAmong<Params extends object>(
  merchants: Fragment<MerchantRow, Params>,
): Fragment<SellerRow, Params> {
  return sql`select m.*,
     exists (select from ${mayAnswer} d where d.confirmed_at is null)
       and not exists (select from ${mayAnswer} d where d.confirmed_at is not null) as awaits_confirmation
   from ${merchants} m`
}

/** An account's merchant as one buys from it. */
export const selectSeller = statement<SellerRow, Key>('select_seller', sellersAmong(merchantRecord))

/** The same for those that `merchantsAtHosts` finds. */
export const selectSellersByHosts = statement<SellerRow, Key & { hosts: readonly string[] }>(
  'select_sellers_by_hosts',
  sellersAmong(merchantsAtHosts),
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
