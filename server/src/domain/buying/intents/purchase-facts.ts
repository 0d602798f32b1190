import { getDomain } from 'tldts'
import type { Tenant } from '../../../contract/context.ts'
import { countryCodes } from '../../../schema/formats.ts'
import {
  type MerchantIdentity,
  merchantSeen,
  type Purchase,
  type PurchaseMerchant,
} from '../../policies/public.ts'
import { identityOf, type MerchantRow, merchantForUrl } from '../../selling/merchant/public.ts'
import type { IntentItem, IntentRow } from './intent.ts'

/** The category of a simulated merchant whose URL names none. */
const simulatedMcc = '5999'

type Seller = Pick<IntentItem, 'domain' | 'mcc' | 'country'> & { merchant: MerchantIdentity | null }

/** Who sells at a URL. Of shops that are none of ours the sandbox says what they are; in live mode nobody does. */
export function sellerOfUrl(url: string, merchants: readonly MerchantRow[], tenant: Tenant): Seller {
  const native = merchantForUrl(merchants, url)
  if (native) return sellerOf(url, native)
  const isSimulated = tenant.mode === 'test'
  return {
    domain: domainOf(url),
    mcc: isSimulated ? simulatedMccOf(url) : null,
    country: isSimulated ? simulatedCountryOf(url) : null,
    merchant: null,
  }
}

/** A merchant of ours as an item keeps it: who it is, and what of that counts. */
export function sellerOf(url: string, row: MerchantRow): Seller {
  const merchant = identityOf(row)
  const { mcc, country } = merchantSeen({ url, mcc: null, country: null, merchant })
  return { domain: row.domain ?? domainOf(url), mcc, country, merchant }
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

function distinctMerchants(items: readonly IntentItem[]): PurchaseMerchant[] {
  return [...new Map(items.map(merchantSeen).map((seen) => [JSON.stringify(seen), seen])).values()]
}

function simulatedMccOf(url: string): string {
  const named = new URL(url).searchParams.get('mcc')
  return named !== null && /^\d{4}$/.test(named) ? named : simulatedMcc
}

/** A shop says where it is by its URL, as it says its category; otherwise nobody knows. */
function simulatedCountryOf(url: string): string | null {
  const named = new URL(url).searchParams.get('country')
  return named !== null && countryCodes().includes(named) ? named : null
}
