import type { Mode } from '../../../contract/context.ts'
import type { EntryRow } from './entry-row.ts'
import { isSpoken, type RegistryChannel } from './found-protocol.ts'

/** A way of buying something, and how it is known. */
type RouteCandidate = {
  readonly channel: 'native' | RegistryChannel | 'simulated'
  readonly why: string
  /** When that was last seen to be so; null: nobody has to look. */
  readonly evidence_at: string | null
}

type Known = {
  readonly mode: Mode
  /** The name of the merchant of ours whose domain it is; null: it is nobody's of ours. */
  readonly seller: string | null
  /** What the registry knows of the host in this mode. */
  readonly entry: Pick<EntryRow, 'origin' | 'channel' | 'found' | 'looked_at'> | null
}

/**
 * The ways in which something can be bought at a host, the best first. In test mode nobody is contacted but those that the registry knows in
 * test mode: everything else is simulated. An empty list in live mode: the registry does not know the host.
 */
export function decideRoute({ mode, seller, entry }: Known): RouteCandidate[] {
  if (seller !== null)
    return [
      { channel: 'native', why: `${seller} sells here, at a domain that is verified`, evidence_at: null },
    ]
  if (entry === null)
    return mode === 'test'
      ? [{ channel: 'simulated', why: 'test mode contacts only sites of its registry', evidence_at: null }]
      : []
  const isAllowed = (channel: RouteCandidate['channel']) =>
    entry.channel === null || entry.channel === channel
  const spoken = (['ucp', 'mpp'] as const).flatMap((protocol): RouteCandidate[] => {
    const found = entry.found.find((one) => one.protocol === protocol)
    if (!isAllowed(protocol) || !found || !(found.status === 'live' || found.status === 'degraded')) return []
    const why = `${entry.origin} speaks it${found.status === 'degraded' ? ', and did not at the last look' : ''}`
    return [{ channel: protocol, why, evidence_at: found.last_checked_at }]
  })
  const evidence_at = entry.looked_at?.toISOString() ?? null
  if (entry.channel !== null)
    return isSpoken(entry.channel)
      ? spoken
      : [{ channel: entry.channel, why: 'the registry says so', evidence_at }]
  // Live mode shows pages to a browser only where an operator says so.
  const byPages = { channel: 'browser', why: 'what is left, by its pages', evidence_at } as const
  return mode === 'test' ? [...spoken, byPages] : spoken
}
