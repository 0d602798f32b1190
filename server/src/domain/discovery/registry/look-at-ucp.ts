import { type Profile, readProfile } from '../../../protocols/ucp/profile.ts'
import { hostingFaults } from '../../../protocols/ucp/profile-hosting.ts'
import { clientReleases } from '../../../protocols/ucp/releases.ts'
import type { Evidence, PublishedProtocol, SeenProtocol } from './found-protocol.ts'
import { instrumentsOf, methodsOfHandler } from './payment-words.ts'
import { type DocumentAnswer, outcomeOf, readDocument, type SiteLook, shortly } from './read-document.ts'

const profileBytesMax = 262_144

/** What no honest profile exceeds: more would only make lists of the registry long. */
const servicesKept = 20
const capabilitiesKept = 60

type UcpLook = { readonly seen: SeenProtocol; readonly evidence: readonly Evidence[] }

/** Reads the profile of a business, and where that is of a release that we do not speak, the one of the newest that we do. */
export async function lookAtUcp(look: SiteLook): Promise<UcpLook> {
  const url = `${look.origin}/.well-known/ucp`
  const first = await readUcp(look, url)
  const release = first.profile && releaseToRead(first.profile)
  if (!release) return { seen: seenBy(first, look, url), evidence: [first.evidence] }
  const older = await readUcp(look, release.url, release.version)
  const chosen = older.profile ? older : first
  return { seen: seenBy(chosen, look, url), evidence: [first.evidence, older.evidence] }
}

/** Null where the profile itself is of a release that is spoken, or links to none. */
function releaseToRead({ version, supportedVersions }: Profile): Profile['supportedVersions'][number] | null {
  if (clientReleases.some((spoken) => spoken === version)) return null
  for (const spoken of clientReleases) {
    const linked = supportedVersions.find((one) => one.version === spoken)
    if (linked) return linked
  }
  return null
}

type ReadUcp = {
  readonly answer: DocumentAnswer
  readonly profile: Profile | null
  readonly evidence: Evidence
}

async function readUcp(look: SiteLook, url: string, leafOf?: string): Promise<ReadUcp> {
  const answer = await readDocument(look, { url, bytesMax: profileBytesMax })
  if (answer.kind !== 'document') return { answer, profile: null, evidence: answer.evidence }
  const { allowLoopback } = look
  const options = { role: 'business', allowLoopback, ...(leafOf === undefined ? {} : { leafOf }) } as const
  const { profile, faults } = readProfile(answer.value, options)
  const usable = profile?.services.some(({ endpoint }) => endpoint !== null) ? profile : null
  const all = [...faults, ...hostingFaults(answer.headers)]
  const problem =
    profile === null
      ? 'It is not a profile.'
      : usable === null
        ? 'It names no service that can be used.'
        : null
  return { answer, profile: usable, evidence: { ...answer.evidence, problem, faults: shortly(all) } }
}

function seenBy({ answer, profile }: ReadUcp, look: SiteLook, url: string): SeenProtocol {
  if (profile) return { protocol: 'ucp', outcome: 'valid', said: saidBy(profile, look.now, url) }
  return { protocol: 'ucp', outcome: outcomeOf(answer.kind) }
}

function saidBy(profile: Profile, now: Date, url: string): PublishedProtocol {
  const { version, services, capabilities, paymentHandlers } = profile
  const methods = [
    ...new Set(paymentHandlers.flatMap(({ name, instruments }) => methodsOfHandler(name, instruments))),
  ]
  const words = [...paymentHandlers.flatMap(({ instruments }) => instruments), ...methods]
  const served = services.flatMap(({ transport, endpoint }) =>
    endpoint === null ? [] : [{ transport, url: endpoint }],
  )
  const observed_at = now.toISOString()
  return {
    version,
    endpoints: [{ transport: 'profile', url }, ...served.slice(0, servicesKept)],
    capabilities: [...new Set(capabilities.map(({ name }) => name))].slice(0, capabilitiesKept),
    services: services.slice(0, servicesKept),
    site_name: null,
    payment_methods: methods,
    payment_instruments: instrumentsOf(words),
    payment_provenance: methods.map((method) => ({ method, source: 'merchant_profile', observed_at })),
    item_types: services.some(({ name }) => name === 'dev.ucp.shopping') ? ['product'] : [],
    categories: [],
  }
}
