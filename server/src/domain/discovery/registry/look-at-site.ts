import type { Seen } from './found-protocol.ts'
import { lookAtMpp } from './look-at-mpp.ts'
import { lookAtUcp } from './look-at-ucp.ts'
import type { SiteLook } from './read-document.ts'

/** Looks for what the entry is for. A site that is only visited with a browser is not asked for documents. */
export async function lookAtSite(look: SiteLook): Promise<Seen> {
  const { channel } = look
  const looks = await Promise.all([
    ...(channel === null || channel === 'ucp' ? [lookAtUcp(look)] : []),
    ...(channel === null || channel === 'mpp' ? [lookAtMpp(look)] : []),
  ])
  return {
    protocols: looks.map(({ seen }) => seen),
    evidence: looks.flatMap(({ evidence }) => evidence),
  }
}
