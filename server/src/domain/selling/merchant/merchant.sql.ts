import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { MerchantRow, Seller } from './merchant.ts'
import {
  merchantRecord,
  merchants,
  merchantsAtHosts,
  publicMerchantOfSlug,
  sellersAmong,
} from './reads.sql.ts'

type Key = { account_id: Id<'acct'>; mode: Mode }

/** An account's own merchant record in a mode, if it has one. */
export const selectMerchantRow = statement<MerchantRow, Key>('select_merchant', merchantRecord)

/** Locked against other changes of the record, but not against orders, which only refer to it. */
export const lockMerchant = merchants.lock('lock_merchant', 'for no key update')

/** The record of an account that has none yet; of two first writers, the second waits and finds it there. */
export const insertMerchant = merchants.insert('insert_merchant', 'on conflict (account_id, mode) do nothing')

/** Run it under `lockMerchant`. */
export const updateMerchantRow = merchants.update('update_merchant')

/** An account's merchant as a buyer needs it. */
export const selectSeller = statement<Seller, Key>('select_seller', sellersAmong(merchantRecord))

/** The same for those that `merchantsAtHosts` finds. */
export const selectSellersByHosts = statement<Seller, Key & { hosts: readonly string[] }>(
  'select_sellers_by_hosts',
  sellersAmong(merchantsAtHosts),
)

export const selectPublicMerchant = statement<{ account_id: Id<'acct'> }, { mode: Mode; slug: string }>(
  'select_public_merchant',
  publicMerchantOfSlug,
)

export const selectVerifiedHolder = statement<{ account_id: Id<'acct'> }, { mode: Mode; domain: string }>(
  'select_verified_holder',
  `select account_id from merchants where mode = $mode and domain = $domain and domain_verified_at is not null`,
)

/** Another account with a verified domain among these: the wanted one, or one above it. */
export const selectTestDomainHolder = statement<
  { account_id: Id<'acct'> },
  Key & { names: readonly string[] }
>(
  'select_test_domain_holder',
  `select account_id from merchants
   where mode = $mode and domain = any($names::text[]) and domain_verified_at is not null and account_id <> $account_id
   limit 1`,
)
