import type { PurchaseMerchant } from './purchase.ts'

/** The identity of a merchant of ours: what it claims, and how much of that is proved. It is fixed when a quote or a purchase is made. */
export type MerchantIdentity = {
  readonly account_id: string
  readonly domain: string | null
  readonly is_verified: boolean
  readonly mcc: string | null
  readonly is_mcc_confirmed: boolean
  readonly country: string | null
  readonly is_country_confirmed: boolean
}

/** What is stored about an item's merchant. `merchant` is null where it is not a merchant of ours. */
export type SoldItem = {
  readonly url: string
  readonly mcc: string | null
  readonly country: string | null
  readonly merchant: MerchantIdentity | null
}

/** The merchant of an item as policies see it: what is known of it, and the names that it only claims. */
export function merchantSeen({ url, mcc, country, merchant }: SoldItem): PurchaseMerchant {
  // By host: an entry of a policy covers everything below it, so a rule about one subdomain applies to that one only.
  const { hostname } = new URL(url)
  if (!merchant) return { domain: hostname, mcc, country }
  return {
    // guard claimed-domain-is-unknown: a domain without proof is on no allow list
    domain: merchant.is_verified ? hostname : null,
    claims: merchant.domain === null ? [hostname] : [hostname, merchant.domain],
    // guard claimed-category-is-unknown: a category counts only of a proved merchant, once confirmed
    mcc: merchant.is_verified && merchant.is_mcc_confirmed ? merchant.mcc : null,
    // guard claimed-country-is-unknown: a country counts once it is confirmed
    country: merchant.is_verified && merchant.is_country_confirmed ? merchant.country : null,
  }
}
