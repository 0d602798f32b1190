import type { PurchaseMerchant } from './purchase.ts'

/** Who a merchant of ours is: what it claims, and how much of that is proved. As fixed when a quote or a purchase is made. */
export type MerchantIdentity = {
  readonly account_id: string
  readonly domain: string | null
  readonly is_verified: boolean
  readonly mcc: string | null
  readonly is_mcc_confirmed: boolean
  readonly country: string | null
  readonly is_country_confirmed: boolean
}

/** What is stored of an item's merchant. `merchant` is null where it is none of ours, and missing where the version before wrote it. */
export type SoldItem = {
  readonly url: string
  readonly mcc: string | null
  readonly country: string | null
  readonly merchant?: MerchantIdentity | null
}

/** The merchant that policies see behind an item: what is known of it, and what it only claims to be called. */
export function merchantSeen({ url, mcc, country, merchant }: SoldItem): PurchaseMerchant {
  // By host: an entry of a policy covers what is below it, so that a rule about one subdomain reaches that one alone.
  const { hostname } = new URL(url)
  if (!merchant) return { domain: hostname, mcc, country }
  return {
    domain: merchant.is_verified ? hostname : null,
    claims: merchant.domain === null ? [hostname] : [hostname, merchant.domain],
    mcc: merchant.is_verified && merchant.is_mcc_confirmed ? merchant.mcc : null,
    country: merchant.is_verified && merchant.is_country_confirmed ? merchant.country : null,
  }
}
