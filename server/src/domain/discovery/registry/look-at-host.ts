import type { Mode } from '../../../contract/context.ts'
import type { Egress } from '../../../platform/egress/egress.ts'
import { decideLook } from './decide-look.ts'
import type { FoundProtocol } from './found-protocol.ts'
import { lookAtSite } from './look-at-site.ts'

/** What a site that nobody has added may take for one answer: a purchase waits for it. */
const strangerTimeoutMs = 2000

/** Where something is to be bought: the host of the item, and its registrable domain. */
export type PlaceOfItem = { readonly host: string; readonly domain: string }

/** What was seen there. `found` empty: it speaks no protocol. */
export type SeenSite = {
  readonly host: string
  readonly origin: string
  readonly found: readonly FoundProtocol[]
}

/** Looks at the host of an item, then at its domain with and without `www`, until one of them speaks a protocol. */
export async function lookAtHost(
  egress: Egress,
  { host, domain }: PlaceOfItem,
  { mode, now }: { mode: Mode; now: Date },
): Promise<SeenSite> {
  const names = new Set([host, domain, `www.${domain}`])
  const terms = { egress, mode, now, channel: null, allowLoopback: false, timeoutMs: strangerTimeoutMs }
  for (const name of names) {
    const origin = `https://${name}`
    const seen = await lookAtSite({ ...terms, origin })
    const { found } = decideLook({ channel: null, found: [], failures: 0, now }, seen)
    const spoken = found.filter(({ status }) => status === 'live')
    if (spoken.length > 0) return { host, origin, found: spoken }
  }
  return { host, origin: `https://${host}`, found: [] }
}
