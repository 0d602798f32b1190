import type { CallerProfile } from '../../protocols/ucp/caller-profile.ts'
import { type Negotiated, negotiate, relevantTo } from '../../protocols/ucp/negotiate.ts'
import { isRelease, type Release, releases } from '../../protocols/ucp/releases.ts'
import type { ShoppingOperation } from '../../protocols/ucp/shopping-operations.ts'
import type { Message } from '../../protocols/ucp/signed-components.ts'
import { isSigned, type SignatureFault, verifyMessage } from '../../protocols/ucp/verify-message.ts'
import { capabilitiesOf, type Offer } from '../../protocols/ucp/write-profile.ts'
import type { Business } from '../http/businesses.ts'
import type { CallerProfiles } from './caller-profiles.ts'
import { type TurnedAway, turnAway } from './turned-away.ts'

/** A request of a platform, before anything is known of it. */
type PlatformRequest = {
  readonly business: Business
  readonly operation: Pick<ShoppingOperation, 'capability' | 'signature' | 'method'>
  /** The profile that it names; null: none. */
  readonly profileUrl: string | null
  /** With the URL as the business advertises it: what else a request may say of its host was not signed for us. */
  readonly message: Message
  /** Whether it has an Idempotency-Key. */
  readonly isKeyed: boolean
  /** Where it comes from, as callers are counted. */
  readonly client: string
}

export type AdmittedPlatform = {
  readonly kind: 'admitted'
  readonly profileUrl: string
  readonly profile: CallerProfile
  readonly release: Release
  /** All that both have in common. */
  readonly negotiated: Negotiated
  /** What of it belongs to the operation: what an answer names. */
  readonly relevant: Negotiated
  readonly isSigned: boolean
}

type Options = { profiles: CallerProfiles; offer: Offer; orders: { wallNow(): Date } }

/** Finds out which platform calls and what it may expect: profile, release, signature and capabilities, in this order. */
export async function admitPlatform(
  { profiles, offer, orders }: Options,
  request: PlatformRequest,
): Promise<AdmittedPlatform | TurnedAway> {
  const { business, operation, profileUrl } = request
  if (profileUrl === null)
    return turnAway('invalid_profile_url', 'Name your profile in UCP-Agent: profile="https://…".')
  const profile = await profiles.at(profileUrl, business.mode, { client: request.client })
  if ('kind' in profile) return profile
  const { version: release } = profile
  if (!isRelease(release)) return otherRelease(release)
  const fault = await signatureFault({ profiles, orders }, { ...request, profileUrl }, profile)
  if (fault) return turnAway(fault, signatureFaults[fault])
  const common = negotiate({
    business: new Map(
      Object.entries(capabilitiesOf(offer, release)).map(([name, entries]) => [name, entries.map(asList)]),
    ),
    platform: profile.capabilities,
    release,
  })
  if (!common.has(operation.capability))
    return { kind: 'incompatible', release, capability: operation.capability }
  return {
    kind: 'admitted',
    profileUrl,
    profile,
    release,
    negotiated: common,
    relevant: relevantTo(operation.capability, common),
    isSigned: isSigned(request.message),
  }
}

function asList(entry: { version: string; extends?: string | readonly string[] }) {
  return { version: entry.version, extends: [entry.extends ?? []].flat() }
}

function otherRelease(version: string): TurnedAway {
  const content = `Your profile is of the release ${version}. This business speaks ${releases.join(', ')}.`
  return turnAway('version_unsupported', content)
}

async function signatureFault(
  { profiles, orders }: Pick<Options, 'profiles' | 'orders'>,
  { business, operation, profileUrl, message, client, isKeyed }: PlatformRequest & { profileUrl: string },
  profile: CallerProfile,
): Promise<SignatureFault | null> {
  if (!isSigned(message)) return operation.signature === 'required' ? 'signature_missing' : null
  const changes = operation.method !== 'GET' && !operation.capability.includes('.catalog.')
  // Without a time and without a key, whoever has seen it could send it again and again.
  const isRepeatable = ({ isDated }: { isDated: boolean }) => changes && !isDated && !isKeyed
  const now = orders.wallNow()
  const verdict = verifyMessage(message, profile.keys, now)
  if (verdict.kind === 'verified') {
    profiles.trust(profileUrl, business.mode)
    return isRepeatable(verdict) ? 'signature_missing' : null
  }
  if (verdict.code !== 'key_not_found') return verdict.code
  // The key may be newer than the copy of the profile.
  const again = await profiles.at(profileUrl, business.mode, { client, freshly: true })
  if ('kind' in again) return verdict.code
  const second = verifyMessage(message, again.keys, now)
  if (second.kind !== 'verified') return second.code
  return isRepeatable(second) ? 'signature_missing' : null
}

export const signatureFaults: Readonly<Record<SignatureFault, string>> = {
  signature_missing:
    'Sign the request, within the last five minutes: a signature must cover @method, @authority, @path, @query, UCP-Agent, Idempotency-Key, Content-Digest and Content-Type, where the request has them. One without `created` needs an Idempotency-Key where it changes something.',
  signature_invalid: 'The signature does not verify.',
  key_not_found: 'Your profile publishes no key with this keyid.',
  algorithm_unsupported: 'Sign with ES256, ES384 or EdDSA.',
  digest_mismatch: 'Content-Digest is not the SHA-256 of the body.',
}
