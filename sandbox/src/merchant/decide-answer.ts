import { AMOUNT_MAX, type Fields, isObject } from '../fields.ts'
import { type Behaviour, linesOf } from './behaviour.ts'
import type { OwedAnswer, Settings } from './memory.ts'

/** The business decision about an order or a quote. `body` is sent word for word. */
type Decision = { outcome: string; body: Fields }

/** How many orders for the same URL are rejected before one is taken. */
const turnedAwayFirst: Partial<Record<Behaviour, number>> = { rejected_once: 1, rejected_twice: 2 }

/** `earlier`: how many orders for the same URL came before this one. */
export function decideOrder(orderId: string, behaviour: Behaviour, earlier: number): Decision {
  if (earlier < (turnedAwayFirst[behaviour] ?? 0)) return rejectOrder('We cannot take this order yet')
  if (behaviour === 'rejected') return rejectOrder('We cannot take this order')
  if (behaviour === 'out_of_stock') return rejectOrder('This item is out of stock')
  return confirmOrder(orderId)
}

/** The reference is made from the order id, so that deciding the same order again can not give it a second reference. */
function confirmOrder(orderId: string, suffix = ''): Decision {
  return {
    outcome: 'confirmed',
    body: {
      outcome: 'confirmed',
      confirmation_reference: `CONF-${orderId}${suffix}`,
      reservation_reference: `RES-${orderId}`,
    },
  }
}

function rejectOrder(note: string): Decision {
  return { outcome: 'rejected', body: { outcome: 'rejected', note } }
}

const QUOTE_LIFETIME_MS = 15 * 60_000

export function decideQuote(
  options: { eventId: string; quoteId: string; quote: Fields; settings: Settings; now: Date },
  behaviour: Behaviour,
): Decision {
  const { eventId, quoteId, quote, settings, now } = options
  const head = { event_id: eventId, event_type: 'quote.requested', quote_id: quoteId }
  const decline = (message: string): Decision => ({
    outcome: 'declined',
    body: { ...head, decision: 'declined', message },
  })
  if (behaviour === 'rejected') return decline('We do not quote this')
  if (behaviour === 'out_of_stock') return decline('This item is out of stock')
  const price = priceOf(quote, settings)
  if (price.total > AMOUNT_MAX) return decline('This is more than we can sell')
  const isBooking = linesOf(quote).some((line) => line.item_type === 'booking')
  return {
    outcome: 'accepted',
    body: {
      ...head,
      decision: 'accepted',
      quoted_amount_cents: price.total,
      currency: price.currency,
      expires_at: new Date(now.getTime() + QUOTE_LIFETIME_MS).toISOString(),
      available_quantity: Math.max(price.quantity, 100),
      ...(isBooking
        ? { booking_snapshot: { reference: `BOOK-${quoteId}`, inputs: quote.inputs ?? {} } }
        : {}),
    },
  }
}

/** What to send and when; more than one answer only from a merchant that misbehaves. */
export function planAnswers(
  base: Omit<OwedAnswer, 'id' | 'body' | 'outcome' | 'dueAt' | 'mistake'>,
  decision: Decision,
  options: { behaviour: Behaviour; settings: Settings; now: Date },
): OwedAnswer[] {
  const { behaviour, settings, now } = options
  const delayMs = behaviour === 'late' ? settings.lateAfterMs : behaviour === 'slow' ? settings.slowAckMs : 0
  const answer = (index: number, { outcome, body }: Decision): OwedAnswer => ({
    ...base,
    id: `${base.merchant}/${base.eventId}/${index}`,
    body: JSON.stringify(body),
    outcome,
    dueAt: new Date(now.getTime() + delayMs).toISOString(),
    mistake: behaviour === 'wrong_signature' || behaviour === 'wrong_event' ? behaviour : 'none',
  })
  if (behaviour === 'silent') return []
  if (behaviour !== 'double') return [answer(0, decision)]
  return [answer(0, decision), answer(1, decision), answer(2, changeMind(base, decision))]
}

function changeMind(base: { eventType: string; targetId: string }, decision: Decision): Decision {
  if (base.eventType === 'order.requested') return confirmOrder(base.targetId, '-B')
  const { event_id, event_type, quote_id } = decision.body
  return {
    outcome: 'declined',
    body: { event_id, event_type, quote_id, decision: 'declined', message: 'We changed our mind' },
  }
}

/**
 * The catalog price that came with the quote, or our list price. Never the buyer's proposal: the merchant sets the price.
 */
function priceOf(quote: Fields, settings: Settings): { total: number; currency: string; quantity: number } {
  const lines = linesOf(quote).flatMap((line) =>
    isObject(line.list_price) ? [line, line.list_price] : [line],
  )
  const quantity = wholeNumber(quote.quantity) ?? wholeNumber(lines[0]?.quantity) ?? 1
  const priced = [...lines, quote]
  const unit = priced.map(unitAmountOf).find((value) => value !== undefined) ?? settings.defaultUnitAmount
  const currency = priced.map((line) => line.currency).find((value) => typeof value === 'string')
  // At most 10^12 × 10^4: multiplied as bigint, because that is beyond what a number holds exactly.
  const total = BigInt(unit) * BigInt(quantity)
  const isExact = total <= BigInt(Number.MAX_SAFE_INTEGER)
  return {
    total: isExact ? Number(total) : Number.MAX_SAFE_INTEGER,
    currency: typeof currency === 'string' ? currency : settings.defaultCurrency,
    quantity,
  }
}

function unitAmountOf(line: Fields): number | undefined {
  return wholeNumber(line.unit_amount) ?? wholeNumber(line.price)
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
