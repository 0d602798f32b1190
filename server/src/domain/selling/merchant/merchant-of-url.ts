import type { MerchantRow } from './merchant.ts'

/** What a merchant says of where it sells. */
type Claim = Pick<MerchantRow, 'domain' | 'domain_verified_at'>

/** Every domain that the hosts of these URLs belong to, to ask for their merchants at once. Takes valid absolute URLs. */
export function hostsOf(urls: readonly string[]): string[] {
  return [...new Set(urls.flatMap((url) => withParents(new URL(url).hostname)))]
}

/** Whether a host is the domain or below it. */
export function isHostWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/**
 * Whose the URL is, of the merchants that `selectMerchantsByHosts` found for the buying account: a verified domain goes before a
 * claimed one, a longer before a shorter.
 */
export function merchantForUrl<Row extends Claim>(merchants: readonly Row[], url: string): Row | null {
  const host = new URL(url).hostname
  let best: Row | null = null
  for (const merchant of merchants) {
    if (merchant.domain === null || !isHostWithin(host, merchant.domain)) continue
    if (best === null || rank(merchant) > rank(best)) best = merchant
  }
  return best
}

/** A domain has at most 253 characters, so that being verified outweighs any length. */
function rank(merchant: Claim): number {
  return (merchant.domain_verified_at ? 1000 : 0) + (merchant.domain?.length ?? 0)
}

function withParents(host: string): string[] {
  const labels = host.split('.')
  return labels.map((_, index) => labels.slice(index).join('.')).filter((name) => name.includes('.'))
}
