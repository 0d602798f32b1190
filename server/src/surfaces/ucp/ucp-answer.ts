import { meaningOf, type Refusal, ValidationProblem } from '../../contract/problem.ts'
import type { ProblemCatalog } from '../../contract/problem-codes.ts'
import type { Outcome } from '../../platform/calls/outcome.ts'
import type { Negotiated } from '../../protocols/ucp/negotiate.ts'
import type { Release } from '../../protocols/ucp/releases.ts'
import type { UcpMessage } from '../../protocols/ucp/ucp-errors.ts'
import type { AdmittedPlatform } from './admit-platform.ts'
import type { TurnedAway } from './turned-away.ts'

/** An answer in the words of the protocol, before a transport carries it. */
export type UcpAnswer =
  | { readonly kind: 'document'; readonly status: number; readonly headers: Headers; readonly body: object }
  | {
      readonly kind: 'error'
      readonly status: number
      readonly rpc: number
      readonly code: string
      readonly content: string
      readonly headers: Headers
      /** Where there is more to say than one sentence. */
      readonly messages?: readonly UcpMessage[]
      /** Set where the caller speaks a release whose errors have another form. */
      readonly isOld?: true
    }

type Headers = Readonly<Record<string, string>>

const none: Headers = {}

/** An error as the release of the caller has it. */
export function inRelease(answer: UcpAnswer, release: Release): UcpAnswer {
  return answer.kind === 'error' && !hasEnvelopes(release) ? { ...answer, isOld: true } : answer
}

/** What a call came to, with the metadata that every document of the protocol begins with. */
export function answerOf(
  outcome: Outcome,
  { release, relevant }: AdmittedPlatform,
  { problems, more: ofOperation }: { problems: ProblemCatalog; more: object },
): UcpAnswer {
  switch (outcome.kind) {
    case 'answered': {
      const { status, headers } = outcome
      const made: Made = JSON.parse(outcome.body) // of a handler
      const { ucp = {}, ...rest } = made
      const isError = ucp.status === 'error'
      if (isError && !hasEnvelopes(release)) return oldRefusal(made)
      const more = isError ? ucp : { capabilities: named(relevant), ...ofOperation, ...ucp }
      return { kind: 'document', status, headers, body: { ucp: { ...metadata(release), ...more }, ...rest } }
    }
    case 'refused':
      return refusalOf(outcome.refusal, problems)
    default:
      throw new Error(`UCP has no words for a ${outcome.kind}`)
  }
}

type Made = { ucp?: { status?: string }; messages?: readonly UcpMessage[] }

/** A release before answers could be errors has no envelope for them. */
function hasEnvelopes(release: Release): boolean {
  return release >= '2026-04-08'
}

/** What 2026-01-23 says instead: a status of HTTP, with a body in which nothing is beyond repair. */
function oldRefusal({ messages = [] }: Made): UcpAnswer {
  const [first] = messages
  const isMissing = first?.code === 'not_found'
  const [status, rpc] = isMissing ? [404, -32000] : [400, -32602]
  const { code = 'invalid', content = 'The request cannot be served.' } = first ?? {}
  return { kind: 'error', status, rpc, code, content, headers: none, messages }
}

/** The body of an error in the words of 2026-01-23. */
export function oldErrorBody({ code, content, messages }: Extract<UcpAnswer, { kind: 'error' }>) {
  const said = messages ?? [{ type: 'error' as const, code, content, severity: 'unrecoverable' as const }]
  return {
    status: 'requires_escalation',
    messages: said.map((message) =>
      message.type === 'error' && message.severity === 'unrecoverable'
        ? { ...message, severity: 'requires_buyer_input' }
        : message,
    ),
  }
}

/** The same over tools. */
export function oldErrorData(answer: Extract<UcpAnswer, { kind: 'error' }>) {
  const errors = oldErrorBody(answer).messages.map(({ type: _, content: message, ...error }) => ({
    ...error,
    message,
  }))
  return { status: 'error', errors }
}

export function turnedAwayAnswer(turned: TurnedAway): UcpAnswer {
  if (turned.kind === 'incompatible') {
    const { release, capability } = turned
    const content = `Your profile and this business have ${capability} in no common version.`
    return errorDocument(release, [
      { type: 'error', code: 'capabilities_incompatible', content, severity: 'unrecoverable' },
    ])
  }
  const { status, rpc, code, content, retryAfterSeconds } = turned
  const headers = retryAfterSeconds === undefined ? none : { 'retry-after': String(retryAfterSeconds) }
  return { kind: 'error', status, rpc, code, content, headers }
}

/** What the parts of the server that all surfaces share refuse with, and what operations do. */
export function refusalOf(refusal: Refusal, problems: ProblemCatalog): UcpAnswer {
  if (refusal instanceof ValidationProblem) {
    const content = refusal.issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
    return { kind: 'error', status: 400, rpc: -32602, code: 'invalid_request', content, headers: none }
  }
  const { status, message } = meaningOf(refusal, problems)
  const headers = refusal.options.headers ?? none
  return { kind: 'error', status, rpc: rpcCodeOf(status), code: refusal.code, content: message, headers }
}

function errorDocument(release: Release, messages: readonly UcpMessage[]): UcpAnswer {
  if (!hasEnvelopes(release)) return oldRefusal({ messages })
  const body = { ucp: { ...metadata(release), status: 'error' }, messages }
  return { kind: 'document', status: 200, headers: none, body }
}

function metadata(release: Release) {
  return hasEnvelopes(release) ? { version: release, status: 'success' } : { version: release }
}

function named(relevant: Negotiated) {
  return Object.fromEntries([...relevant].map(([name, { version }]) => [name, [{ version }]]))
}

function rpcCodeOf(status: number): number {
  if (status >= 500 && status !== 503) return -32603
  return status === 400 || status === 422 ? -32602 : -32000
}
