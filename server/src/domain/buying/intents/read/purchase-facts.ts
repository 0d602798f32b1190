import { getDomain } from 'tldts'
import type { Tenant } from '../../../../contract/context.ts'
import { countryCodes } from '../../../../schema/formats.ts'
import { isAtSite } from '../../../discovery/registry/public.ts'
import {
  type MerchantIdentity,
  merchantSeen,
  type Purchase,
  type PurchaseMerchant,
} from '../../../policies/public.ts'
import { identityOf, type MerchantRecord, merchantForUrl } from '../../../selling/merchant/public.ts'
import type { IntentItem, IntentRow } from '../intent.ts'

/** The category of a simulated merchant whose URL names none. */
const simulatedMcc = '5999'

type Seller = Pick<IntentItem, 'domain' | 'mcc' | 'country'> & { merchant: MerchantIdentity | null }

/**
 * Who sells at a URL. Only a shop that test mode simulates takes its category and country from the URL: of a shop of the registry, and of
 * any other in live mode, they are unknown.
 */
export function sellerOfUrl(
  url: string,
  known: { merchants: readonly MerchantRecord[]; siteHosts: ReadonlySet<string>; tenant: Tenant },
): Seller {
  const native = merchantForUrl(known.merchants, url)
  if (native) return sellerOf(url, native)
  const isSimulated = known.tenant.mode === 'test' && !isAtSite(known.siteHosts, url)
  return {
    domain: domainOf(url),
    mcc: isSimulated ? simulatedMccOf(url) : null,
    country: isSimulated ? simulatedCountryOf(url) : null,
    merchant: null,
  }
}

/** A merchant of ours as an item keeps it: its identity, and the facts that policies use. */
export function sellerOf(url: string, row: MerchantRecord): Seller {
  const merchant = identityOf(row)
  const { mcc, country } = merchantSeen({ url, mcc: null, country: null, merchant })
  return { domain: row.domain ?? domainOf(url), mcc, country, merchant }
}

/** The registrable domain; a host that has none, such as an address, is its own. */
export function domainOf(url: string): string {
  // Shops that live below a hosting domain of the list's private section are different merchants.
  return getDomain(url, { allowPrivateDomains: true }) ?? new URL(url).hostname
}

type Sold = Pick<IntentItem, 'url' | 'domain' | 'merchant'>

/** What people are told of who sells an item: the domain of a merchant of ours, otherwise the very host of the URL. */
export function shopOf({ url, domain, merchant }: Sold): string {
  return merchant ? (merchant.domain ?? domain) : new URL(url).host.replace(/^www\./, '')
}

/** The name of what several items are bought from together: their one shop, or the domain that their hosts share. */
export function shopOfAll(items: readonly Sold[]): string {
  const names = new Set(items.map(shopOf))
  const [only] = names
  return names.size === 1 && only !== undefined ? only : (items[0]?.domain ?? '')
}

/** What keeps items of unknown shops apart: the registrable domain, and the port, behind which another may answer. */
export function domainKeyOf({ url, domain }: Pick<IntentItem, 'url' | 'domain'>): string {
  return `${domain}:${new URL(url).port}`
}

/** The purchase as policies judge it. */
export function purchaseOf(
  intent: Pick<IntentRow, 'currency' | 'items' | 'fulfillment' | 'fee_allowance'>,
  amounts: { expected: bigint; cap: bigint },
): Purchase {
  return {
    currency: intent.currency,
    expected: amounts.expected,
    cap: amounts.cap,
    feeAllowance: intent.fee_allowance,
    merchants: distinctMerchants(intent.items),
    shippingCountry: intent.fulfillment.country,
  }
}

function distinctMerchants(items: readonly IntentItem[]): PurchaseMerchant[] {
  return [...new Map(items.map(merchantSeen).map((seen) => [JSON.stringify(seen), seen])).values()]
}

function simulatedMccOf(url: string): string {
  const named = new URL(url).searchParams.get('mcc')
  return named !== null && /^\d{4}$/.test(named) ? named : simulatedMcc
}

/** A simulated shop names its country in its URL, like its category; otherwise the country is unknown. */
function simulatedCountryOf(url: string): string | null {
  const named = new URL(url).searchParams.get('country')
  return named !== null && countryCodes().includes(named) ? named : null
}
