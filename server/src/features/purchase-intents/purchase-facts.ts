import { getDomain } from 'tldts'
import type { Tenant } from '../../contract/context.ts'
import { type MerchantRow, merchantForUrl } from '../merchant/public.ts'
import type { Purchase, PurchaseMerchant } from '../policies/public.ts'
import type { IntentItem, IntentRow } from './intent.ts'

/** The category of a simulated merchant whose URL names none. */
const simulatedMcc = '5999'

/** Which merchant policies see behind a URL. */
export function merchantOfUrl(
  url: string,
  merchants: readonly MerchantRow[],
  tenant: Tenant,
): PurchaseMerchant {
  const native = merchantForUrl(merchants, url)
  const domain = domainOf(url)
  if (native) return { domain: native.domain ?? domain, mcc: native.mcc, country: native.country }
  return { domain, mcc: tenant.mode === 'test' ? simulatedMccOf(url) : null, country: null }
}

/** The registrable domain; hosts that have none, such as addresses, are their own. */
export function domainOf(url: string): string {
  // Shops that live below a hosting domain of the list's private section are different merchants.
  return getDomain(url, { allowPrivateDomains: true }) ?? new URL(url).hostname
}

/** What policies are asked about. */
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

/** By host: an entry of a policy covers what is below it, so that a rule about one subdomain reaches that one alone. */
function distinctMerchants(items: readonly IntentItem[]): PurchaseMerchant[] {
  const merchants = items.map(({ url, mcc, country }) => ({ domain: new URL(url).hostname, mcc, country }))
  return [...new Map(merchants.map((merchant) => [Object.values(merchant).join(' '), merchant])).values()]
}

function simulatedMccOf(url: string): string {
  const named = new URL(url).searchParams.get('mcc')
  return named !== null && /^\d{4}$/.test(named) ? named : simulatedMcc
}
