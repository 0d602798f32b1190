import type { MerchantRecord } from './merchant.ts'

/** What a merchant claims about the domain where it sells. */
type Claim = Pick<MerchantRecord, 'domain' | 'domain_verified_at'>

/** Every domain that the hosts of these URLs belong to, so that their merchants are read at once. It takes valid absolute URLs. */
export function hostsOf(urls: readonly string[]): string[] {
  return [...new Set(urls.flatMap((url) => withParents(new URL(url).hostname)))]
}

/** Whether a host is the domain or below it. */
export function isHostWithin(host: string, domain: string): boolean {
  // guard domains-by-label: a domain that only ends like another sells nothing for it
  return host === domain || host.endsWith(`.${domain}`)
}

/**
 * Whose the URL is, of the merchants that `readSellersAt` found for the buying account: a verified domain goes before a
 * claimed one, a longer before a shorter.
 */
export function merchantForUrl<Merchant extends Claim>(
  merchants: readonly Merchant[],
  url: string,
): Merchant | null {
  const host = new URL(url).hostname
  let best: Merchant | null = null
  for (const merchant of merchants) {
    if (merchant.domain === null || !isHostWithin(host, merchant.domain)) continue
    if (best === null || rank(merchant) > rank(best)) best = merchant
  }
  return best
}

/** A domain has at most 253 characters, so being verified outweighs any length. */
function rank(merchant: Claim): number {
  // guard verified-before-claimed: a merchant that only claims a domain takes no purchases from the merchant that proved it
  return (merchant.domain_verified_at ? 1000 : 0) + (merchant.domain?.length ?? 0)
}

function withParents(host: string): string[] {
  const labels = host.split('.')
  return labels.map((_, index) => labels.slice(index).join('.')).filter((name) => name.includes('.'))
}
