import { createHash } from 'node:crypto'
import type { CheckedBy, InvariantResult } from '../../../platform/audit/invariants.ts'
import { walkRows } from '../../../platform/audit/walk-rows.ts'
import { unpackText } from '../../../platform/events/packed-text.ts'
import { type SentAttempt, selectSentAttempts } from './sent-attempts.sql.ts'

/** E4: every attempt of a delivery has sent the bytes of its event. */
export function checkSentBodies({ pools }: CheckedBy): Promise<InvariantResult> {
  const first: Pick<SentAttempt, 'account_id' | 'mode' | 'delivery_id' | 'position'> = {
    account_id: '',
    mode: 'test',
    delivery_id: '',
    position: 0,
  }
  return walkRows(pools, { read: selectSentAttempts, first }, (attempt: SentAttempt) => {
    const body = attempt.event_id === null ? null : bodyOf(attempt)
    const isSent = body !== null && createHash('sha256').update(body).digest().equals(attempt.body_digest)
    return { checked: 1, broken: isSent ? [] : [attempt.delivery_id] }
  })
}

/**
 * The bytes that a delivery must have had, built from the event a second time and in another way than the delivery's own: the parts are
 * taken as they were written.
 */
function bodyOf({ audience, event_id, event_type, mode, event_created_at, ...event }: SentAttempt): string {
  const { aggregate_id, object_bytes, envelope_bytes } = event
  if (audience === 'merchant' || event_type === 'destination.test')
    return envelope_bytes === null ? '' : unpackText(envelope_bytes)
  const object = unpackText(object_bytes)
  const data = event_type.startsWith('cart.')
    ? `"purchase_intent_id":"${aggregate_id}","cart":${cartIn(object)}`
    : `"${event_type.split('.')[0]}":${object}`
  const head = `{"id":"${event_id}","object":"event","type":"${event_type}","api_version":"v1","mode":"${mode}"`
  return `${head},"created_at":"${event_created_at.toISOString()}","data":{${data}}}`
}

/** The one cart of a cart's event, `{"id":…,"status":…,"carts":[…]}`. */
function cartIn(object: string): string {
  const begins = '"carts":['
  return object.slice(object.indexOf(begins) + begins.length, -2) || 'null'
}
