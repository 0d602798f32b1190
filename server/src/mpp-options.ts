import type { Mode } from './contract/context.ts'
import { findPublicMerchant } from './domain/selling/merchant/public.ts'
import { readNewestApis, readShownApis } from './domain/selling/mpp-apis/public.ts'
import type { Parts } from './parts.ts'
import { createReads } from './platform/calls/reads.ts'
import type { HostNames } from './surfaces/http/businesses.ts'
import type { MppOptions, PaidMethod } from './surfaces/mpp/mpp-parts.ts'

/** Pays by a purchase that was approved at this service. */
const vault: PaidMethod = {
  name: 'vault',
  details: {},
  instruments: ['card'],
  tokenOf: ({ token }) => (typeof token === 'string' ? token : null),
}

/** Pays with a shared payment token that Stripe has issued for this network. */
function stripeOf(networkId: string): PaidMethod {
  return {
    name: 'stripe',
    details: { networkId, paymentMethodTypes: ['card', 'link'] },
    instruments: ['card', 'link'],
    tokenOf: ({ spt }) => (typeof spt === 'string' && /^spt_\w{1,250}$/.test(spt) ? spt : null),
  }
}

/** How many APIs the document of the service names. */
const newestMax = 100

type SurfaceParts = Pick<Parts, 'pools' | 'clock' | 'hashToken' | 'settings' | 'newId'> &
  Pick<MppOptions, 'problems'> & { hosts: HostNames }

/** What the surface of MPP needs of the product. */
export function mppOptions({
  pools,
  clock,
  hashToken,
  settings,
  newId,
  problems,
  hosts,
}: SurfaceParts): MppOptions {
  const reads = createReads(pools)
  return {
    problems,
    clock,
    findBusiness: (mode, slug) => findPublicMerchant(reads, mode, slug),
    hosts,
    newId: (now) => newId('sal', now.getTime()),
    secret: hashToken('challenges of payments').toString('base64url'),
    methods: { test: methodsIn('test', settings), live: methodsIn('live', settings) },
    customApis: {
      async of({ accountId, mode, slug }) {
        const apis = await readShownApis(reads, { accountId, mode })
        return apis.map(({ id, name, description, method, url, request_schema, offers, categories }) => ({
          ...{ id, slug, livemode: mode === 'live', name, description, method, url, offers, categories },
          requestSchema: request_schema,
        }))
      },
      async newest(mode) {
        const modes: readonly Mode[] = mode === 'live' ? ['live'] : ['live', 'test']
        const ofModes = modes.map(async (one) => {
          const apis = await readNewestApis(reads, one, newestMax)
          return apis.map(({ slug, ...api }) => ({ ...api, slug, livemode: one === 'live' }))
        })
        return (await Promise.all(ofModes)).flat().slice(0, newestMax)
      },
    },
  }
}

/** In test mode a purchase of test mode pays, wherever the service runs. */
export function methodsIn(
  mode: Mode,
  { sharedTokenNetworks }: Pick<Parts['settings'], 'sharedTokenNetworks'>,
): PaidMethod[] {
  const network = sharedTokenNetworks?.[mode]
  return [...(mode === 'test' ? [vault] : []), ...(network === undefined ? [] : [stripeOf(network)])]
}
