import type { Actor, Tenant } from '../../../contract/context.ts'
import type { SignedRequest } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { verifyWebhook } from '../../../platform/signatures/webhook-signature.ts'
import { responsePath } from './event-types.ts'
import { type DoorRow, openResponseDoor } from './response-door.sql.ts'
import { createSecretOpener } from './secrets.ts'

/** Header names of a signed answer; the event that it answers is in `service-webhook-id`. */
export const responseHeaders = {
  signature: 'service-response-signature',
  destination: 'service-destination-id',
  eventId: 'service-webhook-id',
  eventType: 'service-webhook-event',
} as const

const toleranceSeconds = 60

const secretsOf = createSecretOpener()

/**
 * The destination of a signed answer, before anything in its body is trusted. Throws 401 unless headers, destination, timestamp,
 * signature, echoes and target are right, in this order, and 403 where a destination with a right signature may not answer.
 */
export async function identifySignedResponse(
  request: SignedRequest,
): Promise<{ tenant: Tenant; actor: Actor }> {
  const signature = headerOf(request, 'signature')
  const destinationId = headerOf(request, 'destination')
  const eventId = headerOf(request, 'eventId')
  const eventType = headerOf(request, 'eventType')
  const door = await request.reads.maybe(openResponseDoor({ id: destinationId, event_id: eventId }))
  // guard unknown-destination: a destination that does not exist answers nothing
  if (!door) throw refused(`${responseHeaders.destination} does not name a destination.`)
  const tenant = { accountId: door.account_id, mode: door.mode }
  // guard signature-of-an-answer: an answer without the right signature is refused
  checkSignature(request, door, signature)
  // guard answer-of-its-type: the echoed type is that of the delivery
  if (door.aggregate_id === null || door.event_type === null || door.event_type !== eventType) {
    throw refused('The echoed headers do not match a delivery to this destination.')
  }
  const target = door.event_type.startsWith('order.') ? request.path.order_id : request.path.quote_id
  // guard answer-to-its-order: a response URL takes the answer to its own order
  if (door.aggregate_id !== target)
    throw refused('The event is about a different object than the one in the path.')
  const mayAnswer = responsePath(door.event_type, door.aggregate_id, door) !== null
  // guard answer-with-authority: a destination that may not answer does not
  // guard answer-while-enabled: a disabled destination answers nothing
  if (door.status !== 'enabled' || !mayAnswer) throw new Problem('response_not_authorized')
  return { tenant, actor: { type: 'destination', id: door.id } }
}

function headerOf(request: SignedRequest, name: keyof typeof responseHeaders): string {
  const value = request.headers[responseHeaders[name]]
  if (value === undefined || value === '' || value.length > 1_024) {
    throw refused(`Send the header ${responseHeaders[name]}, or an API key.`)
  }
  return value
}

function checkSignature(request: SignedRequest, door: DoorRow, header: string): void {
  const sealer = request.sealerOf({ accountId: door.account_id, mode: door.mode })
  const verdict = verifyWebhook({
    header,
    body: request.rawBody,
    secrets:
      door.secrets === null ? [] : secretsOf(sealer, { destination_id: door.id, secrets: door.secrets }),
    nowSeconds: Math.floor(request.wallNow.getTime() / 1000),
    toleranceSeconds,
  })
  if (verdict.ok) return
  if (verdict.reason === 'timestamp') {
    const time = request.wallNow.toISOString()
    throw refused(
      `The signature's timestamp is more than ${toleranceSeconds} seconds from the server's time, ${time}.`,
    )
  }
  throw refused(
    verdict.reason === 'malformed'
      ? `${responseHeaders.signature} must have the form t=<epoch>,v1=<digest>.`
      : 'The signature does not match the bytes of the body under any valid secret of the destination.',
  )
}

function refused(message: string): Problem {
  return new Problem('signature_invalid', { message })
}
