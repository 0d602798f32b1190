import { type CapabilityName, type DeclaredCapability, declareCapability } from './capabilities.ts'
import type { PublicJwk } from './jwk.ts'
import { type Release, releases, shoppingService } from './releases.ts'

type Transport = 'rest' | 'mcp'

/** A capability with what its party says about it. */
export type OfferedCapability = {
  readonly name: CapabilityName
  readonly config?: Readonly<Record<string, unknown>>
}

/** A payment handler as a party declares it in a release. */
export type DeclaredHandler = {
  readonly id: string
  readonly version: string
  readonly spec: string
  /** It stands on a host that the name of the handler belongs to; left out where that host has published none. */
  readonly schema?: string
  readonly available_instruments?: readonly object[]
  readonly config?: Readonly<Record<string, unknown>>
}

export type Offer = {
  readonly transports: readonly Transport[]
  readonly capabilities: readonly OfferedCapability[]
  readonly handlers: (release: Release) => Readonly<Record<string, readonly DeclaredHandler[]>>
}

type Profile = {
  readonly release: Release
  readonly offer: Offer
  readonly keys: readonly PublicJwk[]
}

/** The document of a platform at one release. `endpoint` is said only where the release asks for one. */
export function writePlatformProfile({ release, offer, keys, endpoint }: Profile & { endpoint: string }) {
  const needsEndpoint = release < '2026-04-08'
  return document({ release, offer, keys }, (transport) =>
    needsEndpoint ? endpointOf(endpoint, transport) : null,
  )
}

/**
 * The document of a business at one release. `versions`: where the documents of its older releases are; only the newest document says so.
 */
export function writeBusinessProfile({
  release,
  offer,
  keys,
  endpoint,
  versions,
}: Profile & { endpoint: string; versions?: Readonly<Record<string, string>> }) {
  const made = document({ release, offer, keys }, (transport) => endpointOf(endpoint, transport))
  const { version, ...rest } = made.ucp
  return { ...made, ucp: { version, ...(versions ? { supported_versions: versions } : {}), ...rest } }
}

/** The capabilities of an offer that a release has. */
export function capabilitiesOf(
  { capabilities }: Pick<Offer, 'capabilities'>,
  release: Release,
): Record<string, DeclaredCapability[]> {
  return Object.fromEntries(
    capabilities.flatMap(({ name, config }) => {
      const declared = declareCapability(name, release, config)
      return declared ? [[name, [declared]]] : []
    }),
  )
}

/** Over REST the paths of operations are added; tools have one address. */
function endpointOf(base: string, transport: Transport): string {
  return transport === 'rest' ? base : `${base}/mcp`
}

function document({ release, offer, keys }: Profile, addressOf: (transport: Transport) => string | null) {
  const capabilities = capabilitiesOf(offer, release)
  const services = offer.transports.map((transport) => {
    const endpoint = addressOf(transport)
    return {
      version: release,
      transport,
      ...(endpoint === null ? {} : { endpoint }),
      spec: `https://ucp.dev/${release}/specification/overview/`,
      schema: `https://ucp.dev/${release}/services/shopping/${serviceFile(release, transport)}`,
    }
  })
  return {
    ucp: {
      version: release,
      services: services.length > 0 ? { [shoppingService]: services } : {},
      capabilities,
      payment_handlers: offer.handlers(release),
    },
    // A verifier of an older release reads `signing_keys` alone, and may have fetched the newest document.
    keys,
    signing_keys: keys,
  }
}

function serviceFile(release: Release, transport: Transport): string {
  const [bare, dotted] =
    transport === 'rest' ? ['openapi.json', 'rest.openapi.json'] : ['openrpc.json', 'mcp.openrpc.json']
  return release < '2026-04-08' ? bare : dotted
}

/** Where the documents of older releases are, by release. */
export function leavesBelow(profileUrl: string): Record<string, string> {
  return Object.fromEntries(releases.slice(1).map((release) => [release, `${profileUrl}/${release}`]))
}
