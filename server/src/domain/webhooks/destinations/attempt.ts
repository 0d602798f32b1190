import { hash } from 'node:crypto'
import type { EventCatalog } from '../../../contract/event.ts'
import type { Egress, EgressRequest } from '../../../platform/egress/egress.ts'
import { EgressFault } from '../../../platform/egress/fault.ts'
import { parseRetryAfter } from '../../../platform/egress/retry-after.ts'
import type { Secret } from '../../../platform/secrets/secret.ts'
import { signWebhook } from '../../../platform/signatures/webhook-signature.ts'
import type { Answer } from './decide-attempt.ts'
import { bodyOf } from './delivery-body.ts'
import type { OutgoingDelivery } from './delivery-work.sql.ts'
import { responsePath } from './event-types.ts'

/** From the call to the last byte of the answer, in milliseconds. */
export const attemptTimeoutMs = 15_000

const responseBytesMax = 65_536
const excerptBytesMax = 1_024

/** The result of one attempt. */
export type Attempt = Answer & { latencyMs: number; excerpt: string | null; bodyDigest: Buffer }

/** What an attempt is signed with, and the base of the address for answers. */
type Signing = { publicUrl: string; secrets: readonly Secret[] }

/** Sends the frozen bytes once, with a fresh signature. It never throws for anything that the receiver does. */
export async function attempt(
  deps: { egress: Egress; wallNow: () => Date; events: EventCatalog },
  signing: Signing,
  delivery: OutgoingDelivery,
  timeoutMs: number = attemptTimeoutMs,
): Promise<Attempt> {
  const body = Buffer.from(bodyOf(delivery, deps.events))
  const bodyDigest = hash('sha256', body, 'buffer')
  const request = { ...requestOf(deps, signing, delivery, body), timeoutMs }
  const startedAtMs = performance.now()
  const sent = (answer: Answer, excerpt: string | null): Attempt => ({
    ...answer,
    excerpt,
    bodyDigest,
    latencyMs: Math.round(performance.now() - startedAtMs),
  })
  try {
    const { status, headers, body: answered } = await deps.egress.request(request)
    const retryAfter = headers['retry-after']
    return sent(
      {
        httpStatus: status,
        error: status >= 300 && status < 400 ? redirectTo(headers.location, request.url) : null,
        retryAfterSeconds: parseRetryAfter(
          typeof retryAfter === 'string' ? retryAfter : undefined,
          deps.wallNow().getTime(),
        ),
      },
      excerptOf(answered),
    )
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    return sent({ httpStatus: error.status ?? null, error: error.code, retryAfterSeconds: null }, null)
  }
}

const locationMax = 200

/** Not followed: what is signed for one address is sent to no other. Its owner sees where the endpoint has moved to. */
function redirectTo(location: string | string[] | undefined, from: string): string {
  const named = [location].flat()[0] ?? ''
  if (named === '' || !URL.canParse(named, from)) return 'redirect'
  const { origin, pathname } = new URL(named, from)
  return `redirect to ${`${origin}${pathname}`.slice(0, locationMax)}: it is not followed, change endpoint_url`
}

function requestOf(
  { wallNow }: { wallNow: () => Date },
  { publicUrl, secrets }: Signing,
  delivery: OutgoingDelivery,
  body: Uint8Array,
): Omit<EgressRequest, 'timeoutMs'> {
  const destinationId = delivery.destination_id
  const path = responsePath(delivery.event_type, delivery.aggregate_id, delivery)
  return {
    url: delivery.endpoint_url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'service-signature': signWebhook({
        secrets,
        timestampSeconds: Math.floor(wallNow().getTime() / 1000),
        body,
      }),
      'service-webhook-id': delivery.event_id,
      'service-webhook-event': delivery.event_type,
      'service-destination-id': destinationId,
      ...(path === null ? {} : { 'service-response-url': `${publicUrl}${path}` }),
    },
    body,
    mode: delivery.mode,
    maxResponseBytes: responseBytesMax,
    lane: destinationId,
  }
}

/** The beginning of an answer, as text that a database and a person can read. */
function excerptOf(body: Uint8Array): string | null {
  if (body.length === 0) return null
  // A replacement character has three bytes where the invalid byte may be a single one.
  let text = Buffer.from(body.subarray(0, excerptBytesMax)).toString('utf8').replaceAll('\0', '\uFFFD')
  while (Buffer.byteLength(text) > excerptBytesMax) text = text.slice(0, -1)
  return text
}
