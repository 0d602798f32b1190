import { createHmac } from 'node:crypto'
import { codeOf } from '../arena.ts'
import { memberOf, type Sent } from '../client.ts'
import type { Service } from '../whole-product.ts'
import type { Reception } from './journal.ts'
import type { Endpoint } from './stage.ts'

/** A signed answer, from a backend or from somebody who pretends to be one. */
export type SignedAnswer = {
  path: string
  raw: string
  /** Null leaves the header out. */
  destination: string | null
  event: string
  type: string
  secret: string
  ageSeconds: number
  /** The signed bytes; null: those that are sent. */
  signedBody: string | null
}

/** The right answer to a request that an endpoint received. */
export function rightAnswer(endpoint: Endpoint, reception: Reception, raw: string): SignedAnswer {
  return {
    path: new URL(reception.responseUrl ?? 'http://no-response-url').pathname,
    raw,
    destination: endpoint.destination,
    event: reception.event,
    type: reception.type,
    secret: endpoint.secrets.at(-1) ?? '',
    ageSeconds: 0,
    signedBody: null,
  }
}

export function sendSigned(service: Service, answer: SignedAnswer): Promise<Sent> {
  const { path, raw, destination, event, type, secret, ageSeconds, signedBody } = answer
  const at = Math.floor(Date.now() / 1000) - ageSeconds
  const digest = createHmac('sha256', secret)
    .update(`${at}.${signedBody ?? raw}`)
    .digest('hex')
  return service.client().rest({
    method: 'POST',
    path,
    headers: {
      ...(destination === null ? {} : { 'service-destination-id': destination }),
      'service-webhook-id': event,
      'service-webhook-event': type,
      'service-response-signature': `t=${at},v1=${digest}`,
    },
    body: raw,
  })
}

/** The status with the code and the words of a refusal, or with the fields that are wrong. */
export function told(sent: Sent): string {
  if (sent.status < 300) return `${sent.status}`
  const detail = memberOf(sent.body, 'detail')
  if (!Array.isArray(detail)) return `${sent.status} ${codeOf(sent)} ${memberOf(detail, 'message')}`
  const fields = detail.map((issue) => [memberOf(issue, 'loc')].flat().join('.'))
  return `${sent.status} ${fields.join(' ')}`
}
