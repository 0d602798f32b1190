import { isObject } from '../../schema/schema-node.ts'
import { plainLine } from './plain-text.ts'

/** An order as a business elsewhere writes it, checked: plain text, https addresses, at most so many of everything. */
export type ForeignOrder = {
  readonly id: string
  readonly checkoutId: string
  readonly url: string | null
  readonly lines: readonly {
    readonly id: string | null
    /** How many units are still part of the order. */
    readonly total: number
    readonly fulfilled: number
  }[]
  readonly events: readonly {
    readonly type: string
    readonly lines: readonly { readonly id: string; readonly quantity: number }[]
    readonly carrier: string | null
    readonly trackingNumber: string | null
    readonly trackingUrl: string | null
  }[]
  readonly adjustments: readonly {
    readonly type: string
    readonly status: string
    /** In minor units, without its sign; null where it is none. */
    readonly amount: number | null
    readonly reason: string | null
  }[]
  /** Of the releases that say it in the body: the id of the message, and its time. */
  readonly eventId: string | null
  readonly eventTime: string | null
}

const most = { lines: 100, events: 100, adjustments: 50, units: 10_000, totals: 20 }

/** Null: it is no order. What cannot be read inside it is left out. */
export function readOrder(said: unknown): ForeignOrder | null {
  if (!isObject(said)) return null
  const id = nameOf(said.id)
  const checkoutId = nameOf(said.checkout_id)
  if (id === null || checkoutId === null || !Array.isArray(said.line_items)) return null
  const { fulfillment } = said
  return {
    id,
    checkoutId,
    url: pageOf(said.permalink_url),
    lines: listOf(said.line_items, most.lines).map(readLine),
    events: isObject(fulfillment)
      ? listOf(fulfillment.events, most.events).flatMap((one) => readEvent(one) ?? [])
      : [],
    adjustments: listOf(said.adjustments, most.adjustments).flatMap((one) => readAdjustment(one) ?? []),
    eventId: nameOf(said.event_id),
    eventTime: typeof said.created_time === 'string' ? said.created_time.slice(0, 64) : null,
  }
}

/** A line that cannot be read keeps its place: parcels name lines by it. */
function readLine(value: unknown): ForeignOrder['lines'][number] {
  if (!isObject(value)) return { id: null, total: 1, fulfilled: 0 }
  const { quantity } = value
  const units = isObject(quantity) ? quantity : {}
  const total = unitsOf(units.total) ?? unitsOf(units.original) ?? 1
  return {
    id: nameOf(value.id),
    total: value.status === 'removed' ? 0 : total,
    fulfilled: unitsOf(units.fulfilled) ?? 0,
  }
}

function readEvent(value: unknown): ForeignOrder['events'][number] | null {
  if (!isObject(value) || typeof value.type !== 'string') return null
  return {
    type: value.type.slice(0, 50),
    lines: listOf(value.line_items, most.lines).flatMap((one) => {
      const id = isObject(one) ? nameOf(one.id) : null
      const quantity = isObject(one) ? unitsOf(one.quantity) : null
      return id === null || quantity === null || quantity === 0 ? [] : [{ id, quantity }]
    }),
    carrier: lineOf(value.carrier, 100),
    trackingNumber: lineOf(value.tracking_number, 100),
    trackingUrl: pageOf(value.tracking_url),
  }
}

function readAdjustment(value: unknown): ForeignOrder['adjustments'][number] | null {
  if (!isObject(value) || typeof value.type !== 'string') return null
  const total = listOf(value.totals, most.totals).find((one) => isObject(one) && one.type === 'total')
  return {
    type: value.type.slice(0, 50),
    status: typeof value.status === 'string' ? value.status.slice(0, 50) : 'completed',
    // The older releases say it as one amount.
    amount: amountOf(isObject(total) ? total.amount : value.amount),
    reason: lineOf(value.description, 255),
  }
}

/** The most that an amount of ours can be, in minor units. */
const amountMax = 1_000_000_000_000

function amountOf(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return null
  const amount = Math.abs(value)
  return amount > amountMax ? null : amount
}

function unitsOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? Math.min(value, most.units)
    : null
}

/** What others call something: any text that can be stored. */
function nameOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > 500) return null
  return value.isWellFormed() && !value.includes('\0') ? value : null
}

function lineOf(value: unknown, max: number): string | null {
  return typeof value === 'string' ? plainLine(value, max) || null : null
}

function pageOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2_048) return null
  const url = URL.parse(value)
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null
}

function listOf(value: unknown, max: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : []
}
