import type { Stripe } from 'stripe'
import type { Mode } from '../../contract/context.ts'
import type { Call, RailEvent, RailEventPage } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import type { Secret } from '../../platform/secrets/secret.ts'
import { errorOf } from './payment-intent.ts'
import { type StripeApi, within } from './stripe-api.ts'
import { isSignedBy } from './webhook-signature.ts'

/** What is followed of all that happens at an account. */
const followed = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
] as const satisfies readonly Stripe.Event.Type[]

/** `passed_over`: Stripe has sent it, and nothing here follows it. */
type ReadMessage =
  | { readonly kind: 'event'; readonly event: RailEvent }
  | { readonly kind: 'passed_over' }
  | { readonly kind: 'unsigned' }

type Message = { readonly body: Uint8Array; readonly signature: string | undefined; readonly nowMs: number }

/** What Stripe tells an endpoint of the account. */
export function readMessage(secret: Secret, mode: Mode, message: Message): ReadMessage {
  if (!isSignedBy(secret, message)) return { kind: 'unsigned' }
  const body = parsed(message.body)
  const event = isRecord(body) && body.livemode === (mode === 'live') ? eventOf(body) : null
  return event === null ? { kind: 'passed_over' } : { kind: 'event', event }
}

/** Before a position that looks for the oldest event, as Stripe lists the newest first. */
const backwards = 'back '

/**
 * What has happened to disputes, oldest first, of the thirty days that Stripe lists. A position is the event that was read last. From the
 * beginning, and where that event is too old to be listed, the list is followed back to its end first, a page at a time.
 */
export async function listEvents(
  api: StripeApi,
  position: string | null,
  call: Call,
): Promise<RailEventPage | null> {
  const next = within(call)
  if (position === null || position.startsWith(backwards)) return await lookBack(api, position, next())
  const page = await pageOf(api, { ending_before: position }, next())
  if (page === 'position_unknown') return { events: [], next: backwards }
  return page && { events: eventsOf(page), next: idOf(page.items.at(0)) ?? position }
}

async function lookBack(api: StripeApi, position: string | null, call: Call): Promise<RailEventPage | null> {
  const from = position === null ? '' : position.slice(backwards.length)
  const page = await pageOf(api, from === '' ? {} : { starting_after: from }, call)
  // It has become too old while the list was followed: what is younger is the whole list.
  if (page === 'position_unknown') return { events: [], next: backwards }
  if (page === null) return null
  const [newest, oldest] = [idOf(page.items.at(0)), idOf(page.items.at(-1))]
  if (page.hasMore) return oldest === null ? null : { events: [], next: backwards + oldest }
  if (newest !== null) return { events: eventsOf(page), next: newest }
  // There is none yet, or what was behind is too old by now: it looks again.
  return { events: [], next: backwards }
}

type Page = { readonly items: readonly unknown[]; readonly hasMore: boolean }

async function pageOf(
  api: StripeApi,
  query: Stripe.EventListParams,
  call: Call,
): Promise<Page | 'position_unknown' | null> {
  const said = await api.send(
    (stripe, options) => stripe.events.list({ ...query, types: [...followed], limit: 100 }, options),
    call,
  )
  if (said.kind !== 'answer') return null
  if (said.status !== 200) return errorOf(said).code === 'resource_missing' ? 'position_unknown' : null
  if (!Array.isArray(said.body.data)) return null
  return { items: said.body.data, hasMore: said.body.has_more === true }
}

/** What makes no sense is passed over, since it would be read the same again. */
function eventsOf({ items }: Page): RailEvent[] {
  return items.flatMap((one) => eventOf(one) ?? []).reverse()
}

function eventOf(body: unknown): RailEvent | null {
  if (!isRecord(body) || !isRecord(body.data) || !isRecord(body.data.object)) return null
  const { id, type, created } = body
  const { id: dispute, object, payment_intent: hold } = body.data.object
  if (typeof id !== 'string' || typeof type !== 'string' || typeof created !== 'number') return null
  if (!followed.some((one) => one === type) || object !== 'dispute') return null
  if (typeof dispute !== 'string' || typeof hold !== 'string') return null
  return { id, type, dispute, hold, happenedAt: new Date(created * 1000) }
}

function idOf(event: unknown): string | null {
  return isRecord(event) && typeof event.id === 'string' ? event.id : null
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return null
  }
}
