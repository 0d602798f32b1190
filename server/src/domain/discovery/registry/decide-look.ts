import { exponentialSeconds } from '../../../core/backoff.ts'
import {
  type FoundProtocol,
  isSpoken,
  type ProtocolStatus,
  type PublishedProtocol,
  type RegistryChannel,
  type Seen,
  type SeenProtocol,
} from './found-protocol.ts'

const recheckHours = 24
/** After a look that did not find everything: an hour, two, four … and a day at most. */
const retrySeconds = 3600
/** After so many looks in a row a protocol counts as gone: with these times, more than two days. */
const failuresMax = 7

type Facts = {
  readonly channel: RegistryChannel | null
  readonly found: readonly FoundProtocol[]
  readonly failures: number
  readonly now: Date
}

type Verdict = {
  readonly found: readonly FoundProtocol[]
  readonly failures: number
  readonly dueAt: Date | null
}

/**
 * What a look means for its entry. Only a document that was read without errors makes a protocol live; one that was live and is not found
 * is degraded for a while. A protocol that was never found there is not kept, unless the entry is for it alone.
 */
export function decideLook({ channel, found, failures, now }: Facts, seen: Seen): Verdict {
  const kept = seen.protocols.flatMap((one): FoundProtocol[] => {
    const before = found.find(({ protocol }) => protocol === one.protocol)
    const after = before || one.outcome === 'valid' || one.outcome === 'invalid' || channel === one.protocol
    return after ? [stateAfter(one, before, now)] : []
  })
  const isWhole = kept.length > 0 && kept.every(({ status }) => status === 'live')
  const failed = isWhole ? 0 : failures + 1
  const waitSeconds = isWhole
    ? recheckHours * 3600
    : exponentialSeconds(failed, retrySeconds, recheckHours * 3600)
  return {
    found: kept,
    failures: failed,
    dueAt: channel === null || isSpoken(channel) ? new Date(now.getTime() + waitSeconds * 1000) : null,
  }
}

const nothing: PublishedProtocol = {
  version: null,
  endpoints: [],
  capabilities: [],
  services: [],
  site_name: null,
  payment_methods: [],
  payment_instruments: [],
  payment_provenance: [],
  item_types: [],
  categories: [],
}

function stateAfter(seen: SeenProtocol, before: FoundProtocol | undefined, now: Date): FoundProtocol {
  const { protocol } = seen
  const last_checked_at = now.toISOString()
  if (seen.outcome === 'valid')
    return { ...provenBefore(seen.said, before), protocol, status: 'live', failures: 0, last_checked_at }
  const failures = (before?.failures ?? 0) + 1
  const status = seen.outcome === 'invalid' ? 'invalid' : statusAfter(before?.status, failures)
  return { ...nothing, ...before, protocol, status, failures, last_checked_at }
}

function statusAfter(before: ProtocolStatus | undefined, failures: number): ProtocolStatus {
  if (before === undefined || failures >= failuresMax) return 'unreachable'
  return before === 'live' ? 'degraded' : before
}

/** A challenge that was seen before says more of a method than the document that names it again. */
function provenBefore(said: PublishedProtocol, before: FoundProtocol | undefined): PublishedProtocol {
  return {
    ...said,
    payment_provenance: said.payment_provenance.map((one) => {
      const earlier = before?.payment_provenance.find(
        ({ method, source }) => method === one.method && source === 'challenge_402',
      )
      return one.source === 'merchant_profile' && earlier ? earlier : one
    }),
  }
}
