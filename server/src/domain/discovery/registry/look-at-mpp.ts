import { EgressFault } from '../../../platform/egress/fault.ts'
import { readChallenges } from '../../../protocols/mpp/challenge.ts'
import { type MppOffer, type MppReading, readManifest } from '../../../protocols/mpp/manifest.ts'
import { readPaidOpenApi } from '../../../protocols/mpp/paid-openapi.ts'
import type { Evidence, PublishedProtocol, SeenProtocol } from './found-protocol.ts'
import { instrumentsOf, knownMethods } from './payment-words.ts'
import { type DocumentAnswer, outcomeOf, readDocument, type SiteLook, shortly } from './read-document.ts'

/** As crawlers of MPP have it. */
const documentBytesMax = 65_536

const places = [
  { path: '/.well-known/mpp.json', transport: 'manifest', read: readManifest },
  { path: '/mpp/.well-known/mpp.json', transport: 'manifest', read: readManifest },
  { path: '/openapi.json', transport: 'openapi', read: readPaidOpenApi },
] as const

const capabilitiesKept = 60

type MppLook = { readonly seen: SeenProtocol; readonly evidence: readonly Evidence[] }

type ReadPlace = {
  answer: DocumentAnswer
  offer: MppOffer | null
  isOrdinary: boolean
  evidence: Evidence
  endpoint: PublishedProtocol['endpoints'][number]
}

/** Reads what a site publishes of MPP, and asks one of its paid operations for its price: what that answers counts more. */
export async function lookAtMpp(look: SiteLook): Promise<MppLook> {
  const read = await Promise.all(places.map((place) => readPlace(look, place)))
  const offering = read.filter(({ offer }) => offer !== null)
  const evidence = read.map((one) => one.evidence)
  if (offering.length === 0) return { seen: { protocol: 'mpp', outcome: worstOf(read) }, evidence }
  const probed = await probePaid(look, offering)
  return {
    seen: { protocol: 'mpp', outcome: 'valid', said: saidBy(offering, probed?.methods ?? [], look.now) },
    evidence: [...evidence, ...(probed ? [probed.evidence] : [])],
  }
}

async function readPlace(
  look: SiteLook,
  { path, transport, read }: (typeof places)[number],
): Promise<ReadPlace> {
  const { origin } = look
  const url = `${origin}${path}`
  const answer = await readDocument(look, { url, bytesMax: documentBytesMax })
  const endpoint = { transport, url }
  // Most OpenAPI documents are of ordinary APIs, and may be as large as they like.
  const isOther = transport === 'openapi' && answer.kind === 'wrong'
  if (answer.kind !== 'document')
    return { answer, offer: null, isOrdinary: isOther, evidence: answer.evidence, endpoint }
  const { offer, faults }: MppReading = read(answer.value, { origin })
  const problem = offer === null ? 'It names no way to pay.' : null
  const isOrdinary = offer === null && transport === 'openapi'
  return {
    answer,
    offer,
    isOrdinary,
    evidence: { ...answer.evidence, problem, faults: shortly(faults) },
    endpoint,
  }
}

function worstOf(read: readonly ReadPlace[]): 'invalid' | 'absent' | 'failed' {
  const outcomes = read.map(({ answer, isOrdinary }) => (isOrdinary ? 'absent' : outcomeOf(answer.kind)))
  return outcomes.find((one) => one === 'invalid') ?? outcomes.find((one) => one === 'failed') ?? 'absent'
}

/** Asks for a paid operation without paying, and reads how it wants to be paid. Only a GET: it is declared to change nothing. */
async function probePaid(
  { egress, mode, now, timeoutMs }: SiteLook,
  offering: readonly ReadPlace[],
): Promise<{ methods: string[]; evidence: Evidence } | null> {
  const operations = offering.flatMap(({ offer }) => offer?.operations ?? [])
  const url = operations.find((one) => one.method === 'GET' && one.url !== null)?.url
  if (!url) return null
  const evidence = { url, at: now.toISOString(), http_status: null, sha256: null, problem: null, faults: [] }
  try {
    const { status, headers } = await egress.request({
      url,
      method: 'GET',
      headers: { accept: 'application/json' },
      mode,
      timeoutMs,
      maxResponseBytes: documentBytesMax,
    })
    const challenges = status === 402 ? readChallenges(headers['www-authenticate']) : []
    const methods = challenges.map(({ method }) => method)
    const isX402 = status === 402 && headers['payment-required'] !== undefined
    const found = [...new Set([...methods, ...(isX402 ? ['x402'] : [])])]
    const problem = found.length > 0 ? null : 'It is declared as paid, and asked for no payment.'
    return { methods: found, evidence: { ...evidence, http_status: status, problem } }
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    return { methods: [], evidence: { ...evidence, problem: `It could not be read (${error.code}).` } }
  }
}

function saidBy(offering: readonly ReadPlace[], challenged: readonly string[], now: Date): PublishedProtocol {
  const offers = offering.flatMap(({ offer }) => offer ?? [])
  const named = [...new Set([...challenged, ...offers.flatMap(({ methods }) => methods)])]
  const methods = knownMethods(named)
  const observed_at = now.toISOString()
  return {
    version: null,
    endpoints: offering.map(({ endpoint }) => endpoint),
    capabilities: [...new Set(offers.flatMap(({ operations }) => operations.flatMap(intentsOf)))].slice(
      0,
      capabilitiesKept,
    ),
    services: [],
    site_name: offers.find(({ name }) => name !== null)?.name ?? null,
    payment_methods: methods,
    payment_instruments: instrumentsOf(
      offers.flatMap(({ instruments }) => instruments),
      named,
    ),
    payment_provenance: methods.map((method) => ({
      method,
      source: challenged.includes(method) ? 'challenge_402' : 'merchant_profile',
      observed_at,
    })),
    item_types: offers.some(({ operations }) => operations.length > 0) ? ['api'] : [],
    categories: [...new Set(offers.flatMap(({ categories }) => categories))].slice(0, 10),
  }
}

function intentsOf({ offers }: MppOffer['operations'][number]): string[] {
  return offers.map(({ method, intent }) => `${method}/${intent}`)
}
