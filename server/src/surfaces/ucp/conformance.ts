import { conformanceAddress, conformancePath } from '../../contract/conformance-address.ts'
import type { Operation } from '../../contract/operation.ts'
import { meaningOf, type Refusal, ValidationProblem } from '../../contract/problem.ts'
import type { ProblemCatalog } from '../../contract/problem-codes.ts'
import { callerSignalOnUse } from '../../platform/calls/caller-signal.ts'
import type { Outcome } from '../../platform/calls/outcome.ts'
import type { Principal } from '../../platform/calls/principal.ts'
import { conformanceRelease } from '../../protocols/ucp/releases.ts'
import { readFirstUcpAgent } from '../../protocols/ucp/ucp-agent.ts'
import type { UcpCall } from '../../protocols/ucp/ucp-call.ts'
import { parseJson } from '../../schema/strict-json.ts'
import type { FindBusiness } from '../http/businesses.ts'
import { countedAddress } from '../http/client-address.ts'
import type { Dialect } from '../http/dialect.ts'
import type { Exchange } from '../http/exchange.ts'
import { requireBusiness } from '../http/find-business.ts'
import { readRawBody } from '../http/read-raw-body.ts'
import { lineOf } from '../http/request-line.ts'
import type { Http, Surface, SurfaceContext } from '../http/surface.ts'
import type { CallerProfiles } from './caller-profiles.ts'
import { mountConformanceDocuments } from './conformance-documents.ts'
import { ownKey } from './platform-call.ts'

type ConformanceOptions = {
  problems: ProblemCatalog
  profiles: CallerProfiles
  /** The merchants that were made for the suite, and no others. */
  findShop: FindBusiness
}

/** The first release of UCP for the official suite, which no other client speaks: nothing is signed, and refusals are a sentence. */
export function conformanceSurface(options: ConformanceOptions): Surface {
  return {
    name: 'ucp-conformance',
    mount(http, context) {
      const dialect = dialectOf(options.problems)
      mountConformanceDocuments({ http, context, dialect, findShop: options.findShop })
      for (const operation of context.operations)
        http.route({
          methods: [operation.method],
          path: `${conformancePath}/{slug}${operation.path}`,
          dialect,
          serve: (exchange) => serve({ ...options, http, context, dialect }, exchange, operation),
        })
    },
  }
}

type Base = ConformanceOptions & {
  readonly http: Http
  readonly context: SurfaceContext
  readonly dialect: Dialect
}

async function serve(base: Base, exchange: Exchange, operation: Operation): Promise<void> {
  const { http, context, findShop } = base
  const { slug, ...path } = exchange.path
  const { headers } = exchange.request
  try {
    const raw = await readRawBody(http, exchange)
    const business = await requireBusiness(findShop, 'test', slug)
    const agent = readFirstUcpAgent(String(headers['ucp-agent'] ?? ''))
    const fault = agentFault(agent)
    if (agent === null || fault !== null)
      return answer(base, exchange, { operation, principal: null }, { status: 400, detail: fault ?? '' })
    const call = await callOf(base, agent.profile, conformanceAddress(context.publicUrl, business.slug))
    const principal = principalOf(business.accountId, agent.profile)
    const parsed = raw.length === 0 ? null : parseJson(raw)
    const outcome = await context.dispatch(principal, operation, {
      requestId: exchange.id,
      path,
      query: exchange.query,
      headers: argumentsOf(operation, headers, call),
      body: parsed?.ok ? parsed.value : undefined,
      bodyError: parsed && !parsed.ok ? parsed.error : null,
      rawBody: raw,
      coerce: true,
      address: countedAddress(exchange.client),
      signal: callerSignalOnUse(exchange.response, context.draining),
      acceptsStream: false,
      accepts: null,
    })
    answer(base, exchange, { operation, principal }, saidOf(outcome, base.problems))
  } catch (error) {
    http.edge.refuse(exchange, error, { operation })
  }
}

type Said =
  | { readonly status: number; readonly body: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly status: number; readonly detail: string; readonly code?: string }

function answer(
  { http, context }: Base,
  exchange: Exchange,
  { operation, principal }: { operation: Operation; principal: Principal | null },
  said: Said,
): void {
  const code = 'detail' in said ? (said.code ?? 'version_unsupported') : null
  context.onRequest(lineOf(exchange, operation, { status: said.status, code, principal }))
  const body = 'detail' in said ? JSON.stringify({ detail: said.detail }) : said.body
  http.edge.write(exchange, { status: said.status, headers: 'headers' in said ? said.headers : {}, body })
}

function agentFault(agent: ReturnType<typeof readFirstUcpAgent>): string | null {
  if (agent === null) return 'Name your profile in UCP-Agent: profile="…".'
  const { version } = agent
  if (version === null || version === conformanceRelease) return null
  return `Version ${version} is not supported. This business speaks ${conformanceRelease} here.`
}

/** What is known of the caller. A profile that cannot be read, or of another release, only means that nobody is told of orders. */
async function callOf({ profiles }: Base, profileUrl: string, business: string): Promise<UcpCall> {
  const found = URL.canParse(profileUrl) ? await profiles.at(profileUrl, 'test') : null
  const profile = found === null || 'kind' in found || found.version !== conformanceRelease ? null : found
  return {
    // The words of the release after it are the nearest that handlers know.
    release: '2026-01-23',
    business,
    capabilities: [],
    profile: profileUrl,
    is_signed: false,
    webhook_url: profile?.orderWebhookUrl ?? null,
    handlers: [],
  }
}

function principalOf(accountId: Principal['tenant']['accountId'], profileUrl: string): Principal {
  const principal: Principal = {
    tenant: { accountId, mode: 'test' },
    actor: { type: 'platform', id: profileUrl },
    keyId: null,
    profileId: null,
    scopes: new Set(),
    renew: () => principal,
  }
  return principal
}

function argumentsOf(operation: Operation, headers: Exchange['request']['headers'], call: UcpCall) {
  const key = headers['idempotency-key']
  const secret = headers['simulation-secret']
  const takesSecret = operation.headers !== undefined && 'simulation_secret' in operation.headers.properties
  return {
    ...(typeof key === 'string' ? { 'idempotency-key': ownKey(call.profile, key) } : {}),
    ...(takesSecret && typeof secret === 'string' ? { 'simulation-secret': secret } : {}),
    'ucp-call': call,
  }
}

function saidOf(outcome: Outcome, problems: ProblemCatalog): Said {
  switch (outcome.kind) {
    case 'answered':
      return { status: outcome.status, headers: outcome.headers, body: outcome.body }
    case 'refused':
      return refusedOf(outcome.refusal, problems)
    default:
      throw new Error(`UCP has no words for a ${outcome.kind}`)
  }
}

function refusedOf(refusal: Refusal, problems: ProblemCatalog) {
  if (refusal instanceof ValidationProblem) {
    const detail = refusal.issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
    return { status: 422, detail, code: 'invalid_request' }
  }
  const { status, message } = meaningOf(refusal, problems)
  return { status, detail: message, code: refusal.code }
}

function dialectOf(problems: ProblemCatalog): Dialect {
  return (refusal) => {
    const { status, detail, code } = refusedOf(refusal, problems)
    return { status, headers: {}, code, body: JSON.stringify({ detail }) }
  }
}
