import { businessAddress, paidAddress } from '../../../contract/business-address.ts'
import type { Mode } from '../../../contract/context.ts'
import { newestRelease } from '../../../protocols/ucp/releases.ts'
import type { PaymentInstrument, PaymentMethod } from './payment-words.ts'

/** What merchants of ours speak: everything in this list is served here. UCP and MPP need a slug, which is in their addresses. */
export const nativeProtocols = ['native', 'ucp', 'mpp'] as const

/** What is served of UCP for a merchant of ours. Its profile says the same. */
const ucpCapabilities = [
  'dev.ucp.shopping.catalog.search',
  'dev.ucp.shopping.catalog.lookup',
  'dev.ucp.shopping.cart',
  'dev.ucp.shopping.checkout',
  'dev.ucp.shopping.fulfillment',
  'dev.ucp.shopping.discount',
  'dev.ucp.shopping.order',
]

type NativeProtocol = {
  protocol: (typeof nativeProtocols)[number]
  version: string | null
  endpoints: { transport: string; url: string }[]
  capabilities: string[]
  status: 'live'
  last_checked_at: null
}

type Merchant = { readonly slug: string | null; readonly answers_quotes: boolean }

/** The protocols of a merchant of ours. Nobody has to check them: it is this service that answers. */
export function nativeProtocolsOf(
  publicUrl: string,
  mode: Mode,
  { slug, answers_quotes }: Merchant,
): NativeProtocol[] {
  const known = { status: 'live', last_checked_at: null } as const
  const native: NativeProtocol = {
    protocol: 'native',
    version: 'v1',
    endpoints: [
      { transport: 'rest', url: `${publicUrl}/v1` },
      { transport: 'mcp', url: `${publicUrl}/mcp/v1` },
    ],
    capabilities: ['purchase_intent', ...(answers_quotes ? ['quote'] : [])],
    ...known,
  }
  if (slug === null) return [native]
  const business = businessAddress(publicUrl, { mode, slug })
  const paid = paidAddress(publicUrl, { mode, slug })
  return [
    native,
    {
      protocol: 'ucp',
      version: newestRelease,
      endpoints: [
        { transport: 'rest', url: business },
        { transport: 'mcp', url: `${business}/mcp` },
        { transport: 'profile', url: `${business}/.well-known/ucp` },
      ],
      capabilities: [...ucpCapabilities],
      ...known,
    },
    {
      protocol: 'mpp',
      version: null,
      endpoints: [
        { transport: 'rest', url: paid },
        { transport: 'mcp', url: `${paid}/mcp` },
        { transport: 'profile', url: `${paid}/.well-known/mpp.json` },
      ],
      capabilities: ['charge'],
      ...known,
    },
  ]
}

/** How merchants of ours are paid: by the cards of profiles, where the mode has a payment rail. */
export function nativePayment(isPaid: boolean): {
  methods: PaymentMethod[]
  instruments: PaymentInstrument[]
} {
  return isPaid ? { methods: ['card'], instruments: ['card'] } : { methods: [], instruments: [] }
}
