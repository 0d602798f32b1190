import { businessAddress } from '../../contract/business-address.ts'
import { newestRelease, type Release } from '../../protocols/ucp/releases.ts'
import { leavesBelow, writeBusinessProfile } from '../../protocols/ucp/write-profile.ts'
import type { Business } from '../http/businesses.ts'
import type { Exchange } from '../http/exchange.ts'
import { requireBusiness } from '../http/find-business.ts'
import { sendDocument } from '../http/public-document.ts'
import { plainLineOf } from '../http/request-line.ts'
import { profilePath, readRelease, unknownRelease } from './platform-profile.ts'
import type { Ucp } from './ucp-parts.ts'

/** The profile of each business: the newest release, which names the others, and a document of its own for each of these. */
export function mountBusinessProfiles(ucp: Ucp, mode: Business['mode'], at: string): void {
  const { http } = ucp
  const mount = (path: string, releaseOf: (version: string | undefined) => Release | null) =>
    http.route({
      methods: ['GET', 'HEAD'],
      path,
      dialect: ucp.dialect,
      async serve(exchange) {
        const release = releaseOf(exchange.path.version)
        if (release === null) return http.edge.refuse(exchange, unknownRelease())
        await serve(ucp, exchange, { mode, release, path })
      },
    })
  mount(`${at}/{slug}${profilePath}`, () => newestRelease)
  mount(`${at}/{slug}${profilePath}/{version}`, readRelease)
}

async function serve(
  ucp: Ucp,
  exchange: Exchange,
  { mode, release, path }: { mode: Business['mode']; release: Release; path: string },
): Promise<void> {
  const { http, context, offer, hosts, keys } = ucp
  // The server words what is thrown here.
  const business = await requireBusiness(ucp.findBusiness, mode, exchange.path.slug)
  const endpoint =
    hosts.addressOf(exchange.request.headers.host) ?? businessAddress(context.publicUrl, business)
  const versions = release === newestRelease ? leavesBelow(`${endpoint}${profilePath}`) : null
  const profile = writeBusinessProfile({
    release,
    offer: { ...offer, handlers: (of) => ucp.handlers(of, mode) },
    keys: await keys(),
    endpoint,
    ...(versions ? { versions } : {}),
  })
  sendDocument(http, exchange, profile)
  context.onRequest(plainLineOf(exchange, { route: path, status: 200, code: null }))
}
