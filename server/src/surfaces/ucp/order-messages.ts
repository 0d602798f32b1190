import { type ForeignOrder, readOrder } from '../../protocols/ucp/read-order.ts'
import type { Message } from '../../protocols/ucp/signed-components.ts'
import { readUcpAgent } from '../../protocols/ucp/ucp-agent.ts'
import { isSignedDetached } from '../../protocols/ucp/verify-detached.ts'
import { isSigned, verifyMessage } from '../../protocols/ucp/verify-message.ts'
import { parseJson } from '../../schema/strict-json.ts'
import { countedAddress } from '../http/client-address.ts'
import type { Exchange } from '../http/exchange.ts'
import { readRawBody } from '../http/read-raw-body.ts'
import { plainLineOf } from '../http/request-line.ts'
import { signatureFaults } from './admit-platform.ts'
import { profilePath } from './platform-profile.ts'
import { saidOverRest } from './rest.ts'
import { textHeaders } from './run-operation.ts'
import { notNow, type TurnedAway, turnAway } from './turned-away.ts'
import { turnedAwayAnswer, type UcpAnswer } from './ucp-answer.ts'
import type { OrderMessageResult, Ucp } from './ucp-parts.ts'
import { writeAnswer } from './write-answer.ts'

/** Where businesses write to us about the orders that were placed with them; our profile names it. */
export const orderMessagesPath = '/ucp/webhooks/orders'

/** How old a message may be when it comes: its sender tries again for a day or more. */
const oldestMs = 3 * 86_400_000
/** How far the clock of a sender may be ahead. */
const aheadMs = 300_000
/** A sender whose messages wait for orders comes back. */
const fullRetrySeconds = 600
/** An order is there some seconds after its message at the latest. */
const unknownRetrySeconds = 5

export function mountOrderMessages(ucp: Ucp): void {
  const { http, context } = ucp
  http.route({
    methods: ['POST'],
    path: orderMessagesPath,
    dialect: ucp.dialect,
    async serve(exchange) {
      let raw: Uint8Array
      try {
        raw = await readRawBody(http, exchange)
      } catch (error) {
        return http.edge.refuse(exchange, error)
      }
      const answer = await answerTo(ucp, exchange, raw)
      const code = answer.kind === 'error' ? answer.code : null
      context.onRequest(plainLineOf(exchange, { route: orderMessagesPath, status: answer.status, code }))
      await writeAnswer(ucp, exchange, saidOverRest(answer))
    },
  })
}

async function answerTo(ucp: Ucp, exchange: Exchange, raw: Uint8Array): Promise<UcpAnswer> {
  const parsed = parseJson(raw)
  if (!parsed.ok) return malformed(`The body is no JSON that can be read. ${parsed.error.msg}`)
  const order = readOrder(parsed.value)
  if (order === null) return malformed('The body is no order: it needs id, checkout_id and line_items.')
  const headers = textHeaders(exchange.request.headers)
  const given = { headers, raw, order, client: countedAddress(exchange.client) }
  const isOld = headers['request-signature'] !== undefined && !isSigned({ headers })
  const proven = await (isOld ? proveByBody(ucp, given) : proveSender(ucp, given))
  if (proven.kind !== 'proven') return turnedAwayAnswer(proven)
  const { sender, id, sentAt, release } = proven
  const aheadBy = sentAt.getTime() - ucp.orders.wallNow().getTime()
  if (!(aheadBy <= aheadMs && -aheadBy <= oldestMs))
    return malformed('The time of the message is more than three days ago, or in the future.')
  return answerOf(await ucp.orders.receive({ sender, id, sentAt, raw, order }), release)
}

function answerOf(received: OrderMessageResult, release: string): UcpAnswer {
  if (received === 'foreign')
    return turnedAwayAnswer({
      kind: 'refused',
      code: 'profile_not_trusted',
      content: 'The order was placed with another business than the one that signs this message.',
      status: 403,
      rpc: -32000,
    })
  if (received === 'changed')
    return turnedAwayAnswer({
      kind: 'refused',
      code: 'idempotency_key_conflict',
      content:
        'Another message had this Webhook-Id. A message that says something else needs an id of its own.',
      status: 409,
      rpc: -32000,
    })
  if (received === 'full')
    return turnedAwayAnswer(notNow('Too many of your messages wait for their orders.', fullRetrySeconds))
  const ucp = { version: release, ...(release >= '2026-04-08' ? { status: 'success' } : {}) }
  return { kind: 'document', status: 200, headers: {}, body: { ucp } }
}

type Proven = {
  readonly kind: 'proven'
  readonly sender: string
  readonly id: string
  readonly sentAt: Date
  readonly release: string
}

type ReceivedMessage = {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly raw: Uint8Array
  readonly order: ForeignOrder
  readonly client: string
}

/** Who signed the message, its id and its time: all three are covered by the signature. */
async function proveSender(
  ucp: Ucp,
  { headers, raw, order, client }: ReceivedMessage,
): Promise<Proven | TurnedAway> {
  const agent = headers['ucp-agent']
  const profileUrl = agent === undefined ? null : readUcpAgent(agent)
  const sender = profileUrl === null ? null : senderOf(profileUrl)
  if (profileUrl === null || sender === null)
    return turnAway(
      'invalid_profile_url',
      'Name your profile in UCP-Agent: profile="https://…/.well-known/ucp".',
    )
  const id = headers['webhook-id'] ?? ''
  const seconds = headers['webhook-timestamp'] ?? ''
  if (id === '' || id.length > 255 || !/^\d{1,12}$/.test(seconds))
    return invalid('Send Webhook-Id, and Webhook-Timestamp in seconds since 1970.')
  const mode = await ucp.orders.modeOf({ sender, checkout: order.checkoutId })
  const message: Message = {
    kind: 'request',
    method: 'POST',
    url: `${ucp.context.publicUrl}${orderMessagesPath}`,
    headers,
    body: raw,
  }
  const now = ucp.orders.wallNow()
  for (const freshly of [false, true]) {
    const profile = await ucp.profiles.at(profileUrl, mode, { client, freshly })
    if ('kind' in profile) return profile
    const verdict = verifyMessage(message, profile.keys, now)
    if (verdict.kind === 'refused') {
      // The key may be newer than the copy of the profile.
      if (verdict.code === 'key_not_found' && !freshly) continue
      return turnAway(verdict.code, signatureFaults[verdict.code])
    }
    if (!['webhook-id', 'webhook-timestamp'].every((name) => verdict.covered.includes(name)))
      return turnAway('signature_missing', 'The signature must cover Webhook-Id and Webhook-Timestamp too.')
    ucp.profiles.trust(profileUrl, mode)
    return { kind: 'proven', sender, id, sentAt: new Date(Number(seconds) * 1000), release: profile.version }
  }
  return turnAway('key_not_found', signatureFaults.key_not_found)
}

/**
 * The two oldest releases sign the body alone, which says neither who signs nor where it goes: those are asked who have such a checkout.
 * Nobody can be asked before the order is there, and then the sender comes back.
 */
async function proveByBody(
  ucp: Ucp,
  { headers, raw, order, client }: ReceivedMessage,
): Promise<Proven | TurnedAway> {
  const { checkoutId, eventId, eventTime } = order
  if (eventId === null || eventTime === null || Number.isNaN(Date.parse(eventTime)))
    return invalid('The body needs event_id and created_time.')
  const senders = await ucp.orders.sendersOf(checkoutId)
  if (senders.length === 0) return notNow('No order is known here by this checkout_id.', unknownRetrySeconds)
  for (const { sender, mode } of senders) {
    const profile = await ucp.profiles.at(sender, mode, { client })
    if ('kind' in profile) return profile
    if (!isSignedDetached(headers['request-signature'] ?? '', raw, profile.keys)) continue
    return { kind: 'proven', sender, id: eventId, sentAt: new Date(eventTime), release: profile.version }
  }
  return turnAway('signature_invalid', signatureFaults.signature_invalid)
}

/** The business that a profile is of: its newest document, or one below it of an older release. */
function senderOf(profileUrl: string): string | null {
  const url = URL.parse(profileUrl)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return null
  const { origin, pathname } = url
  return pathname === profilePath || pathname.startsWith(`${profilePath}/`) ? `${origin}${profilePath}` : null
}

function invalid(content: string): TurnedAway {
  return { kind: 'refused', code: 'invalid_request', content, status: 400, rpc: -32602 }
}

function malformed(content: string): UcpAnswer {
  return turnedAwayAnswer(invalid(content))
}
