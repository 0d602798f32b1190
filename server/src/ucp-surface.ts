import {
  hashOf,
  modeOfSender,
  newsOfUcp,
  receiveOrderMessage,
  sendersOf,
} from './domain/buying/stranger-orders/public.ts'
import { orderPage } from './domain/selling/checkouts/public.ts'
import { findPublicMerchant } from './domain/selling/merchant/public.ts'
import { createReads } from './platform/calls/reads.ts'
import type { ActingParts } from './platform/calls/run-as.ts'
import type { Egress, SandboxNames } from './platform/egress/egress.ts'
import type { SigningKeys } from './platform/signatures/signing-keys.ts'
import type { Offer } from './protocols/ucp/write-profile.ts'
import type { HostNames } from './surfaces/http/businesses.ts'
import type { Surface } from './surfaces/http/surface.ts'
import { createCallerProfiles } from './surfaces/ucp/caller-profiles.ts'
import { orderMessagesPath } from './surfaces/ucp/order-messages.ts'
import { paymentHandlers } from './surfaces/ucp/payment-handlers.ts'
import { ownRelease, platformProfile } from './surfaces/ucp/platform-profile.ts'
import { ucpSurface } from './surfaces/ucp/ucp.ts'
import type { UcpOptions } from './surfaces/ucp/ucp-parts.ts'

/**
 * What the service does itself as a platform: searches ask the catalogs of others, and purchases are made at businesses. Nothing is
 * declared that it does not do.
 */
function platformOf({ sandboxNames, publicUrl }: Pick<SurfaceParts, 'sandboxNames' | 'publicUrl'>): Offer {
  return {
    transports: ['rest', 'mcp'],
    capabilities: [
      { name: 'dev.ucp.shopping.catalog.search' },
      { name: 'dev.ucp.shopping.catalog.lookup' },
      { name: 'dev.ucp.shopping.checkout' },
      { name: 'dev.ucp.shopping.fulfillment' },
      { name: 'dev.ucp.shopping.order', config: { webhook_url: `${publicUrl}${orderMessagesPath}` } },
      { name: 'dev.ucp.shopping.discount' },
    ],
    handlers: () => (sandboxNames ? sandboxHandlers : {}),
  }
}

/** The sandbox's payment network, which is paid with credentials of its processor. */
const sandboxHandlers = {
  'test.pay.processor_token': [
    {
      id: 'processor_token',
      version: '2026-11-01',
      spec: 'https://pay.test/',
      schema: 'https://pay.test/ucp/processor_token.schema.json',
      available_instruments: [{ type: 'card' }],
    },
  ],
}

type SurfaceParts = ActingParts &
  Pick<UcpOptions, 'problems'> & {
    publicUrl: string
    signingKeys: SigningKeys
    egress: Egress
    hosts: HostNames
    /** The shops of the sandbox; null: there are none. */
    sandboxNames: SandboxNames | null
  }

/** The surface of UCP, with what it needs of the slices. */
export function ucpSurfaceOf(given: SurfaceParts): Surface {
  return ucpSurface(optionsOf(given))
}

function optionsOf(given: SurfaceParts): UcpOptions {
  const { pools, settings, signingKeys, problems, publicUrl, egress, hosts, sandboxNames } = given
  const platform = platformOf({ sandboxNames, publicUrl })
  const reads = createReads(pools)
  const keys = () => signingKeys.published()
  const profiles = createCallerProfiles({
    egress,
    own(url) {
      const release = ownRelease(publicUrl, url)
      if (release === null) return null
      return platformProfile({ keys, platform }, publicUrl, release).then((profile) =>
        Buffer.from(JSON.stringify(profile)),
      )
    },
  })
  return {
    problems,
    profiles,
    findBusiness: (mode, slug) => findPublicMerchant(reads, mode, slug),
    hosts,
    keys,
    signer: () => signingKeys.signer(),
    platform,
    orders: {
      modeOf: (toldAs) => modeOfSender(reads, toldAs),
      sendersOf: (checkout) => sendersOf(reads, checkout),
      receive: ({ order, raw, ...message }) =>
        receiveOrderMessage(given, {
          ...message,
          said: hashOf(raw),
          checkout: order.checkoutId,
          news: newsOfUcp(order),
        }),
      wallNow: () => new Date(),
    },
    orderPage: (business, orderId) => orderPage(reads, business, orderId),
    business: {
      extensions: [{ name: 'dev.ucp.shopping.fulfillment' }, { name: 'dev.ucp.shopping.discount' }],
      handlers: paymentHandlers(publicUrl, settings),
    },
  }
}
