import type { Call } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { EgressFault } from '../../platform/egress/fault.ts'
import type { CheckoutEndpoint } from '../../protocols/ucp/checkout-request.ts'
import type { PublicJwk } from '../../protocols/ucp/jwk.ts'
import { type Profile, readProfile } from '../../protocols/ucp/profile.ts'
import { clientReleases, shoppingService } from '../../protocols/ucp/releases.ts'

/** A business as it says of itself, at the newest release that both speak. */
export type Business = {
  readonly endpoint: CheckoutEndpoint
  readonly capabilities: ReadonlySet<string>
  readonly handlers: Profile['paymentHandlers']
  readonly keys: readonly PublicJwk[]
}

/** `none`: it is no business that can be bought from, in a sentence. `unavailable`: it did not answer. */
type Found =
  | { readonly kind: 'business'; readonly business: Business }
  | { readonly kind: 'none'; readonly why: string }
  | { readonly kind: 'unavailable' }

/** Businesses by their origin. Their profiles are kept for a while. */
export type Businesses = {
  at(origin: string, call: Call): Promise<Found>
}

const keptMs = 300_000
const keptMax = 500
const profileBytesMax = 262_144
const profileTimeoutMs = 5_000

export function createBusinesses(egress: Egress, monotonicMs = () => performance.now()): Businesses {
  const kept = new Map<string, { found: Found; untilMs: number }>()
  return {
    async at(origin, call) {
      const key = `${call.mode} ${origin}`
      const known = kept.get(key)
      if (known && monotonicMs() < known.untilMs) return known.found
      const found = await readBusiness(egress, origin, call)
      kept.delete(key)
      if (found.kind === 'business') kept.set(key, { found, untilMs: monotonicMs() + keptMs })
      const [oldest] = kept.keys()
      if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
      return found
    },
  }
}

async function readBusiness(egress: Egress, origin: string, call: Call): Promise<Found> {
  const newest = await fetchProfile(egress, `${origin}/.well-known/ucp`, call)
  if (!('version' in newest)) return newest
  const release = clientReleases.find(
    (one) => one === newest.version || newest.supportedVersions.some(({ version }) => version === one),
  )
  if (release === undefined)
    return { kind: 'none', why: 'The shop speaks no release of UCP that is spoken here.' }
  const leaf = newest.supportedVersions.find(({ version }) => version === release)
  const profile =
    release === newest.version || !leaf ? newest : await fetchProfile(egress, leaf.url, call, release)
  if (!('version' in profile)) return profile
  const services = profile.services.filter(({ name }) => name === shoppingService)
  const service =
    services.find(({ transport, endpoint }) => transport === 'rest' && endpoint !== null) ??
    services.find(({ transport, endpoint }) => transport === 'mcp' && endpoint !== null)
  if (!service || service.endpoint === null)
    return { kind: 'none', why: 'The shop has neither REST nor tools at its UCP profile.' }
  const transport = service.transport === 'mcp' ? 'mcp' : 'rest'
  return {
    kind: 'business',
    business: {
      endpoint: { endpoint: service.endpoint, transport, release },
      capabilities: new Set(profile.capabilities.map(({ name }) => name)),
      handlers: profile.paymentHandlers,
      keys: profile.keys.map(keyOf),
    },
  }
}

/** Members that the profile does not have are left out. */
function keyOf({ kid, kty, crv, x, y, alg }: Profile['keys'][number]): PublicJwk {
  return {
    kid,
    kty,
    ...(crv === null ? {} : { crv }),
    ...(x === null ? {} : { x }),
    ...(y === null ? {} : { y }),
    ...(alg === null ? {} : { alg }),
  }
}

async function fetchProfile(
  egress: Egress,
  url: string,
  { mode, timeoutMs }: Call,
  leafOf?: string,
): Promise<Profile | Exclude<Found, { kind: 'business' }>> {
  try {
    const { status, body } = await egress.request({
      url,
      method: 'GET',
      headers: { accept: 'application/json' },
      mode,
      timeoutMs: Math.min(timeoutMs, profileTimeoutMs),
      maxResponseBytes: profileBytesMax,
      lane: 'profile',
    })
    if (status >= 500 || status === 429) return { kind: 'unavailable' }
    const profile = status === 200 ? profileIn(body, mode, leafOf) : null
    return profile ?? { kind: 'none', why: 'The shop has no UCP profile that can be read.' }
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    if (error.code === 'blocked_address' || error.code === 'blocked_url')
      return { kind: 'none', why: 'The address of the shop cannot be called.' }
    return { kind: 'unavailable' }
  }
}

function profileIn(body: Buffer, mode: Call['mode'], leafOf: string | undefined): Profile | null {
  try {
    const options = { role: 'business', allowLoopback: mode === 'test' } as const
    const leaf = leafOf === undefined ? {} : { leafOf }
    return readProfile(JSON.parse(body.toString('utf8')), { ...options, ...leaf }).profile
  } catch {
    return null
  }
}
