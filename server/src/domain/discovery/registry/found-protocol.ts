import type { Profile } from '../../../protocols/ucp/profile.ts'

/** Protocols that a site elsewhere can speak. */
const siteProtocols = ['ucp', 'mpp'] as const
type SiteProtocol = (typeof siteProtocols)[number]

/** Each way in which an entry may be bought from; null in an entry: whatever is found. A new way of buying at merchants elsewhere is a name here. */
export const registryChannels = ['ucp', 'mpp', 'browser'] as const
export type RegistryChannel = (typeof registryChannels)[number]

/** Whether a site says by a document that it can be bought from in this way; of another way the registry alone says so. */
export function isSpoken(channel: RegistryChannel): channel is SiteProtocol {
  return siteProtocols.some((protocol) => protocol === channel)
}

export const protocolStatuses = ['live', 'degraded', 'unreachable', 'invalid'] as const
export type ProtocolStatus = (typeof protocolStatuses)[number]

type Endpoint = { readonly transport: string; readonly url: string }

type Provenance = {
  readonly method: string
  readonly source: 'merchant_profile' | 'challenge_402' | 'manual'
  readonly observed_at: string
}

/** What a site says of itself in one protocol. */
export type PublishedProtocol = {
  readonly version: string | null
  readonly endpoints: readonly Endpoint[]
  readonly capabilities: readonly string[]
  /** What a UCP client needs besides: the services of the profile that was chosen. */
  readonly services: Profile['services']
  readonly site_name: string | null
  readonly payment_methods: readonly string[]
  readonly payment_instruments: readonly string[]
  readonly payment_provenance: readonly Provenance[]
  readonly item_types: readonly string[]
  readonly categories: readonly string[]
}

/** A protocol of an entry, as it is kept: what was said when it was last read without errors, and how it is now. */
export type FoundProtocol = PublishedProtocol & {
  readonly protocol: SiteProtocol
  readonly status: ProtocolStatus
  readonly last_checked_at: string
  /** How many looks in a row have not found it. */
  readonly failures: number
}

/** A document that a look has asked for. */
export type Evidence = {
  readonly url: string
  readonly at: string
  /** The status of the answer; null where there was none. */
  readonly http_status: number | null
  /** The SHA-256 of what was read. */
  readonly sha256: string | null
  /** Why it could not be used, in a sentence; null where it could. */
  readonly problem: string | null
  readonly faults: readonly string[]
}

/** What a look has seen of one protocol. `absent`: the site answers, and does not speak it. */
export type SeenProtocol =
  | { readonly protocol: SiteProtocol; readonly outcome: 'valid'; readonly said: PublishedProtocol }
  | { readonly protocol: SiteProtocol; readonly outcome: 'invalid' | 'absent' | 'failed' }

export type Seen = { readonly protocols: readonly SeenProtocol[]; readonly evidence: readonly Evidence[] }
