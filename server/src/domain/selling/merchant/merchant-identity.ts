import type { MerchantIdentity } from '../../policies/public.ts'
import type { MerchantRow } from './merchant.ts'

/** The columns of a merchant that are who it is. */
export type IdentityRow = Pick<
  MerchantRow,
  | 'account_id'
  | 'mode'
  | 'domain'
  | 'domain_verified_at'
  | 'mcc'
  | 'mcc_confirmed'
  | 'country'
  | 'country_confirmed'
>

/** Who a merchant is at the moment. Only live mode waits for the operator to confirm a category and a country. */
export function identityOf(row: IdentityRow): MerchantIdentity {
  const { mode, mcc, country } = row
  return {
    account_id: row.account_id,
    domain: row.domain,
    is_verified: row.domain_verified_at !== null,
    mcc,
    is_mcc_confirmed: mode === 'test' || (mcc !== null && mcc === row.mcc_confirmed),
    country,
    is_country_confirmed: mode === 'test' || (country !== null && country === row.country_confirmed),
  }
}

/** Whether a merchant is no longer who it was. What is proved or confirmed since is no change; what no longer is, is one. */
export function hasMerchantChanged(then: MerchantIdentity | null, now: MerchantIdentity | null): boolean {
  if (then === null || now === null) return then !== now
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
