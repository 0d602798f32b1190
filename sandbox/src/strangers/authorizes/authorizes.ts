import { readCard } from '../shop/card-fields.ts'
import type { Desk } from '../shop/desk.ts'
import type { Order } from '../shop/memory.ts'
import { keepOrder } from '../shop/place-order.ts'
import { declineText, payByCard, paymentAgain } from '../storefront/pay-by-card.ts'
import type { Paying, Storefront } from '../storefront/storefront.ts'
import { storefrontRoutes } from '../storefront/storefront-routes.ts'
import { usualTerms } from '../storefront/usual-terms.ts'
import type { OpenedShop, Reply } from '../web/site.ts'

/** What happens to the money so many days after the order; a share is in percent of the order. */
type Later = { day: number; does: 'capture' | 'reverse' | 'refund'; percent: number }

const plans: Readonly<Record<string, { about: string; later: readonly Later[] }>> = {
  'two-shipments': {
    about: 'Ships in two parcels; each is charged when it leaves.',
    later: [
      { day: 2, does: 'capture', percent: 60 },
      { day: 5, does: 'capture', percent: 40 },
    ],
  },
  'part-shipped': {
    about: 'One parcel leaves, and the rest is given back.',
    later: [
      { day: 2, does: 'capture', percent: 60 },
      { day: 6, does: 'reverse', percent: 100 },
    ],
  },
  'never-shipped': {
    about: 'Is not delivered after all.',
    later: [{ day: 7, does: 'reverse', percent: 100 }],
  },
  late: { about: 'Made to order.', later: [{ day: 20, does: 'capture', percent: 100 }] },
  refunded: {
    about: 'Ships at once and is recalled.',
    later: [
      { day: 1, does: 'capture', percent: 100 },
      { day: 10, does: 'refund', percent: 100 },
    ],
  },
  'partly-refunded': {
    about: 'Ships at once; a part of the price comes back.',
    later: [
      { day: 1, does: 'capture', percent: 100 },
      { day: 10, does: 'refund', percent: 25 },
    ],
  },
}

const authorizes: Storefront = {
  ...usualTerms,
  look: { title: 'Slow Furniture', tagline: 'Charged when it ships', lang: 'en', accent: '#356859' },
  products: Object.entries(plans).map(([handle, { about }]) => ({
    handle,
    name: `Chair ${handle.replaceAll('-', ' ')}`,
    description: about,
    price: 20_000,
  })),
  pay: checkThenAuthorize,
}

/** Checks a card for nothing, authorizes it with the order, and captures days later. */
export function openShop(desk: Desk): OpenedShop {
  // One after the other: what two calls do at once would be counted twice in the book.
  let last = Promise.resolve()
  return {
    sites: { [desk.host]: storefrontRoutes(desk, authorizes) },
    passDays: (days) => {
      last = last.then(() => passDays(desk, days))
      return last
    },
  }
}

async function checkThenAuthorize(paying: Paying): Promise<Reply> {
  const { desk, cart, visit, priced } = paying
  const read = readCard(visit.form)
  if (read.kind === 'wrong') return paymentAgain(paying, read.messages)
  const checked = await desk.processor.authorize(read.card, {
    key: `${desk.name}:${cart.id}:check:${read.card.number.slice(-4)}:${priced.total}`,
    amount: 0,
    currency: priced.currency,
    merchant: desk.host,
    reference: `${desk.name}:check`,
  })
  if (checked.kind !== 'approved')
    return paymentAgain(paying, [declineText(checked.kind === 'declined' ? checked.code : 'no_answer')])
  const reply = await payByCard(paying, { capture: 'later' })
  const order = desk.memory.orders.get(desk.memory.carts.get(cart.id)?.orderId ?? '')
  const today = desk.memory.notes.get(dayNote) ?? '0'
  if (order !== undefined) desk.memory.commit({ kind: 'note', name: `day:${order.number}`, value: today })
  return reply
}

const dayNote = 'day'

/** The shop's clock: what is due by then is done, once, also when the processor has to be asked again. */
async function passDays(desk: Desk, days: number): Promise<void> {
  const { memory } = desk
  const today = Number(memory.notes.get(dayNote) ?? 0) + days
  memory.commit({ kind: 'note', name: dayNote, value: String(today) })
  for (const { id } of [...memory.orders.values()]) await doWhatIsDue(desk, id, today)
}

async function doWhatIsDue(desk: Desk, orderId: string, today: number): Promise<void> {
  const { notes, orders } = desk.memory
  const ordered = orders.get(orderId)
  if (ordered?.authorizationId == null) return
  const age = today - Number(notes.get(`day:${ordered.number}`) ?? 0)
  const plan = plans[ordered.priced.lines[0]?.sku ?? '']?.later ?? []
  for (const [index, later] of plan.entries()) {
    const done = Number(notes.get(`done:${orderId}`) ?? 0)
    const order = orders.get(orderId)
    if (index < done || later.day > age || order === undefined) continue
    if (!(await carryOut(desk, order, { later, key: `${desk.name}:${orderId}:${index}` }))) return
    desk.memory.commit({ kind: 'note', name: `done:${orderId}`, value: String(index + 1) })
  }
}

async function carryOut(
  desk: Desk,
  order: Order,
  { later, key }: { later: Later; key: string },
): Promise<boolean> {
  const { processor, memory } = desk
  const hold = order.authorizationId ?? ''
  const rest = order.amount - order.captured - order.reversed
  const share = Math.min(
    Math.ceil((order.amount * later.percent) / 100),
    later.does === 'refund' ? order.captured : rest,
  )
  switch (later.does) {
    case 'capture': {
      const outcome = await processor.capture(hold, { key, amount: share, isFinal: false })
      if (outcome.kind !== 'approved') return false
      memory.commit({ kind: 'note', name: `capture:${order.id}`, value: outcome.id })
      keepOrder(
        desk,
        { ...order, state: 'paid', captured: order.captured + share },
        `captured:${share}`,
        'charge',
      )
      return true
    }
    case 'reverse': {
      const outcome = await processor.reverse(hold, key)
      if (outcome.kind !== 'approved') return false
      const state = order.captured === 0 ? 'cancelled' : order.state
      keepOrder(desk, { ...order, state, reversed: order.reversed + rest }, `reversed:${rest}`, 'charge')
      return true
    }
    case 'refund': {
      const captureId = memory.notes.get(`capture:${order.id}`) ?? ''
      const outcome = await processor.refund(captureId, { key, amount: share })
      if (outcome.kind !== 'approved') return false
      keepOrder(desk, { ...order, refunded: order.refunded + share }, `refunded:${share}`, 'charge')
      return true
    }
    default:
      return later.does satisfies never
  }
}
