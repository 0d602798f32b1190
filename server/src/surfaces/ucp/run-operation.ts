import { businessAddress } from '../../contract/business-address.ts'
import { callerSignalOnUse } from '../../platform/calls/caller-signal.ts'
import { countedAddress } from '../http/client-address.ts'
import type { Exchange } from '../http/exchange.ts'
import { lineOf } from '../http/request-line.ts'
import { admitPlatform } from './admit-platform.ts'
import { inAnswers } from './payment-handlers.ts'
import { callOf, principalOf } from './platform-call.ts'
import { answerOf, inRelease, turnedAwayAnswer, type UcpAnswer } from './ucp-answer.ts'
import type { Running, Ucp } from './ucp-parts.ts'

/** One operation for one request: who calls, what both have in common, the call, and its answer. */
export async function runOperation(ucp: Omit<Ucp, 'dialect' | 'run'>, running: Running): Promise<UcpAnswer> {
  const { context, problems } = ucp
  const { exchange, business, offered, profileUrl, raw, target } = running
  const { request } = exchange
  const client = countedAddress(exchange.client)
  const base = ucp.hosts.addressOf(request.headers.host) ?? businessAddress(context.publicUrl, business)
  const log = (answer: UcpAnswer, principal: ReturnType<typeof principalOf> | null): UcpAnswer => {
    const code = answer.kind === 'error' ? answer.code : null
    context.onRequest(lineOf(exchange, offered.operation, { status: answer.status, code, principal }))
    return answer
  }
  const admitted = await admitPlatform(ucp, {
    business,
    operation: offered.shopping,
    profileUrl,
    client,
    isKeyed: running.idempotencyKey !== undefined,
    message: {
      kind: 'request',
      method: request.method ?? '',
      url: `${base}${target}`,
      headers: textHeaders(request.headers),
      body: raw,
    },
  })
  if (admitted.kind === 'incompatible')
    return log(inRelease(turnedAwayAnswer(admitted), admitted.release), null)
  if (admitted.kind !== 'admitted') return log(turnedAwayAnswer(admitted), null)
  const principal = principalOf(business, admitted)
  const { path, query, body, bodyError, coerce, idempotencyKey } = running
  const attribution = request.headers['service-attribution-id']
  const call = callOf(admitted, {
    requestId: exchange.id,
    business: base,
    address: client,
    signal: callerSignalOnUse(exchange.response, context.draining),
    path,
    query,
    body,
    bodyError,
    rawBody: raw,
    coerce,
    idempotencyKey,
    attribution: typeof attribution === 'string' ? attribution : undefined,
  })
  const outcome = await context.dispatch(principal, offered.operation, call)
  const isPaid = offered.shopping.capability === 'dev.ucp.shopping.checkout'
  const more = isPaid ? { payment_handlers: inAnswers(ucp.handlers(admitted.release, business.mode)) } : {}
  const answer = answerOf(outcome, admitted, { problems, more })
  return log(inRelease(answer, admitted.release), principal)
}

/** A header that occurs twice is a list only where no signature covers it. */
export function textHeaders(headers: Exchange['request']['headers']): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}
