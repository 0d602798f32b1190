import type { OperationFacts } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { isRelease, newestRelease, type Release } from '../../protocols/ucp/releases.ts'
import { type Offer, writePlatformProfile } from '../../protocols/ucp/write-profile.ts'
import { queryReaderOf, sendDocument } from '../http/public-document.ts'
import { plainLineOf } from '../http/request-line.ts'
import { newestProfile, profileOfRelease } from './described-documents.ts'
import type { Ucp, UcpOptions } from './ucp-parts.ts'

export const profilePath = '/.well-known/ucp'

/** What the service says of itself as a platform: the newest release, and a document for each release that it speaks. */
export function mountPlatformProfile(ucp: Ucp): void {
  const { http, context } = ucp
  const mount = (document: OperationFacts, releaseOf: (version: string | undefined) => Release | null) => {
    const { path } = document
    const readQuery = queryReaderOf(document)
    http.route({
      methods: ['GET', 'HEAD'],
      path,
      async serve(exchange) {
        const release = releaseOf(exchange.path.version)
        if (release === null) throw unknownRelease()
        readQuery(exchange.query)
        sendDocument(http, exchange, await platformProfile(ucp, context.publicUrl, release))
        context.onRequest(plainLineOf(exchange, { route: path, status: 200, code: null }))
      },
    })
  }
  mount(newestProfile, () => newestRelease)
  mount(profileOfRelease, readRelease)
}

export async function platformProfile(
  { keys, platform }: Pick<UcpOptions, 'keys'> & { platform: Offer },
  publicUrl: string,
  release: Release,
): Promise<object> {
  return writePlatformProfile({ release, offer: platform, keys: await keys(), endpoint: publicUrl })
}

/** The release of which one of our own profiles is, by its address; null: the address is not ours. */
export function ownRelease(publicUrl: string, url: string): Release | null {
  if (url === `${publicUrl}${profilePath}`) return newestRelease
  const before = `${publicUrl}${profilePath}/`
  return url.startsWith(before) ? readRelease(url.slice(before.length)) : null
}

export function readRelease(version: string | undefined): Release | null {
  return version !== undefined && isRelease(version) ? version : null
}

export function unknownRelease(): Problem {
  return new Problem('not_found', { message: 'This release of UCP is not spoken here.' })
}
