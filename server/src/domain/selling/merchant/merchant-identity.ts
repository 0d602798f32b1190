import type { MerchantIdentity } from '../../policies/public.ts'
import type { MerchantRecord } from './merchant.ts'

/** What of a merchant is who it is. */
export type IdentityFacts = Pick<
  MerchantRecord,
  | 'account_id'
  | 'mode'
  | 'domain'
  | 'domain_verified_at'
  | 'mcc'
  | 'mcc_confirmed'
  | 'country'
  | 'country_confirmed'
>

/** The identity of a merchant at this moment. Only live mode waits for the operator to confirm a category and a country. */
export function identityOf(row: IdentityFacts): MerchantIdentity {
  const { mode, mcc, country } = row
  return {
    account_id: row.account_id,
    domain: row.domain,
    is_verified: row.domain_verified_at !== null,
    mcc,
    // guard confirmed-in-live-mode: a category that the operator has not confirmed counts for nothing in live mode
    is_mcc_confirmed: mode === 'test' || (mcc !== null && mcc === row.mcc_confirmed),
    country,
    is_country_confirmed: mode === 'test' || (country !== null && country === row.country_confirmed),
  }
}

/**
 * Whether a merchant's identity has changed. A value that was proved or confirmed since is no change; a value that no longer is proved or
 * confirmed is one.
 */
export function hasMerchantChanged(then: MerchantIdentity | null, now: MerchantIdentity | null): boolean {
  if (then === null || now === null) return then !== now
  // guard lost-verification-is-a-change: a merchant that lost its verification is another one
  return (
    then.account_id !== now.account_id ||
    then.domain !== now.domain ||
    then.mcc !== now.mcc ||
    then.country !== now.country ||
    (then.is_verified && !now.is_verified) ||
    (then.is_mcc_confirmed && !now.is_mcc_confirmed) ||
    (then.is_country_confirmed && !now.is_country_confirmed)
  )
}
