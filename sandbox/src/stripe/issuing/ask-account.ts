import { isObject } from '../../fields.ts'
import { postJson } from '../../http-client.ts'
import { apiVersion, signatureOf } from '../events/signature.ts'
import { newId, seconds } from '../work.ts'
import type { CardAuthorization, IssuingSettings } from './memory.ts'

export type AccountAnswer = {
  readonly approved: boolean
  readonly reason: CardAuthorization['history'][number]['reason']
  readonly metadata: Record<string, string>
}

/**
 * Asks the account about an authorization: its answer is the body of the response, which names the version of the interface that it is
 * written in. Anything else is no answer, and the account has said before what becomes of it then.
 */
export async function askAccount(
  { endpoint, secret, fallback, answer_within_ms: timeoutMs }: IssuingSettings & { endpoint: string },
  authorization: object,
  { isLive, nowMs }: { isLive: boolean; nowMs: number },
): Promise<AccountAnswer> {
  const event = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: seconds(nowMs),
    data: { object: authorization },
    livemode: isLive,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: 'issuing_authorization.request',
  }
  const body = JSON.stringify(event)
  const unanswered = (reason: 'webhook_timeout' | 'webhook_error'): AccountAnswer => ({
    approved: fallback === 'approve',
    reason,
    metadata: {},
  })
  try {
    const headers = { 'stripe-signature': signatureOf(body, { secret, at: seconds(Date.now()) }) }
    const said = await postJson({ url: endpoint, body, headers, timeoutMs })
    return answerIn(said) ?? unanswered('webhook_error')
  } catch (error) {
    // Nothing else than its time ends it.
    const isLate = error instanceof Error && error.name === 'AbortError'
    return unanswered(isLate ? 'webhook_timeout' : 'webhook_error')
  }
}

/** Null: it is no answer to the question. */
function answerIn({ status, headers, text }: Awaited<ReturnType<typeof postJson>>): AccountAnswer | null {
  if (status !== 200 || typeof headers['stripe-version'] !== 'string') return null
  const body = parsed(text)
  if (!isObject(body) || typeof body.approved !== 'boolean') return null
  const { approved, metadata = {} } = body
  if (!isObject(metadata) || Object.values(metadata).some((one) => typeof one !== 'string')) return null
  const texts = metadata as Record<string, string> // each was looked at
  return { approved, reason: approved ? 'webhook_approved' : 'webhook_declined', metadata: texts }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
