import { memberOf } from '../client.ts'
import { type Driver, insistAsWished, lookUntil, rest, tool } from './ask.ts'
import { approve } from './pursue-purchase.ts'
import type { Told } from './synced-journal.ts'
import type { Wish } from './wish.ts'

/** Requests a price from a merchant, waits for its answer, and buys at that price. */
export async function pursueQuote(driver: Driver, wish: Wish): Promise<void> {
  const { order } = driver
  const key = order.keys.person
  const profile_id = wish.isUnattended ? order.profiles.unattended : order.profiles.attended
  const name = `quote-${wish.reference}`
  const body = { catalog_item_id: wish.quotedItem, profile_id, metadata: { wish: wish.reference } }
  const send =
    wish.transport === 'mcp'
      ? tool(driver, 'v1_create_quote', { ...body, idempotency_key: name }, key)
      : rest(driver, { path: '/v1/quotes', key, name, body })
  const asked = await insistAsWished(driver, {
    deed: 'quote',
    wish,
    name,
    target: null,
    send,
    tell: tellQuote,
  })
  const id = asked?.id ?? null
  if (asked === null || id === null) return
  // A merchant that was away for the ten seconds of the wait may still answer.
  const quote =
    memberOf(asked.body, 'status') === 'pending'
      ? await lookUntil(driver, `/v1/quotes/${id}`, (found) =>
          memberOf(found, 'status') === 'pending' ? null : found,
        )
      : asked.body
  const told = tellQuote(quote)
  if (told?.status !== 'quoted') return
  const accept = `accept-${wish.reference}`
  const bought = await insistAsWished(driver, {
    deed: 'accept',
    wish,
    name: accept,
    target: id,
    send: rest(driver, {
      path: `/v1/quotes/${id}/accept`,
      key,
      name: accept,
      body: { offer_id: told.offer, profile_id, reference_id: wish.reference },
    }),
    tell: () => ({ total: told.total ?? null }),
  })
  if (bought?.id && !wish.isUnattended) await approve(driver, wish, bought.id)
}

/** The parts of a quote that must still be so when it is read in the end. */
function tellQuote(quote: unknown): Told | null {
  const status = memberOf(quote, 'status')
  if (typeof status !== 'string') return null
  const offers = memberOf(quote, 'offers')
  const offer: unknown = Array.isArray(offers) ? offers[0] : undefined
  const [id, total] = [memberOf(offer, 'id'), memberOf(offer, 'total_amount')]
  return typeof id === 'string' && typeof total === 'number' ? { status, offer: id, total } : { status }
}
