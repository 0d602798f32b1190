import { isObject } from '../../schema/schema-node.ts'
import { plainLine } from './plain-text.ts'
import { readAnswer, readToolAnswer } from './read-answer.ts'
import { readTotals, type Totals } from './read-totals.ts'
import type { ClientRelease } from './releases.ts'

const statuses = [
  'incomplete',
  'requires_escalation',
  'ready_for_complete',
  'complete_in_progress',
  'completed',
  'canceled',
] as const

type CheckoutMessage = {
  readonly type: string
  readonly code: string
  readonly content: string
  readonly severity: string | null
}

type FulfillmentOption = {
  readonly id: string
  readonly title: string
  readonly amount: number
  /** When it is there at the latest, as far as that is said. */
  readonly latest: string | null
}

/** How the goods of some lines can come. */
type FulfillmentMethod = {
  readonly id: string
  readonly type: string
  readonly lineItemIds: readonly string[]
  readonly destinations: readonly Readonly<Record<string, unknown>>[]
  readonly selectedDestinationId: string | null
  readonly groups: readonly {
    readonly id: string
    readonly selectedOptionId: string | null
    readonly options: readonly FulfillmentOption[]
  }[]
}

/** A checkout at a business elsewhere, checked: plain text, amounts in minor units, the shapes of all releases as one. */
export type Checkout = {
  readonly id: string
  readonly status: (typeof statuses)[number]
  readonly currency: string
  readonly lines: readonly {
    readonly id: string | null
    readonly itemId: string
    readonly title: string | null
    readonly quantity: number
    readonly price: number
  }[]
  readonly totals: Totals | null
  readonly messages: readonly CheckoutMessage[]
  readonly handlers: readonly {
    readonly name: string
    readonly id: string
    readonly config: Readonly<Record<string, unknown>>
  }[]
  readonly methods: readonly FulfillmentMethod[]
  /** The codes that take something off. */
  readonly appliedCodes: readonly string[]
  readonly order: { readonly id: string; readonly url: string | null } | null
  /** Where its buyer goes on in a browser, as the business says it: over http or https, on whatever host. */
  readonly continueUrl: string | null
}

/** What a business answered. `refused`: it understood, and there is no checkout. `failed`: nobody knows what it has done. */
export type CheckoutAnswer =
  | { readonly kind: 'checkout'; readonly checkout: Checkout }
  | { readonly kind: 'refused'; readonly code: string; readonly content: string; readonly status: number }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed' }

type HttpAnswer = { readonly status: number; readonly contentType: string; readonly body: Buffer }

export function readCheckoutAnswer(
  { transport, release }: { transport: 'rest' | 'mcp'; release: ClientRelease },
  answer: HttpAnswer,
): CheckoutAnswer {
  const { status } = answer
  if (status === 429 || status === 503) return { kind: 'busy' }
  if (status >= 500) return { kind: 'failed' }
  const said = readAnswer(answer)
  if (transport === 'mcp') {
    const tool = readToolAnswer(said)
    if (tool.kind === 'error') return toolError(tool.error)
    return documentOf(tool.result, status, release)
  }
  return documentOf(said, status, release)
}

function documentOf(said: unknown, status: number, release: ClientRelease): CheckoutAnswer {
  if (!isObject(said)) return status >= 400 ? refused(status, {}) : { kind: 'failed' }
  const checkout = status < 400 ? readCheckout(said, release) : null
  if (checkout) return { kind: 'checkout', checkout }
  const [first] = messagesOf(said.messages)
  if (first) return { kind: 'refused', code: first.code, content: first.content, status }
  return status >= 400 ? refused(status, said) : { kind: 'failed' }
}

/** The releases have said it as `{code, content}` and as `{detail, code}`. */
function refused(status: number, said: Readonly<Record<string, unknown>>): CheckoutAnswer {
  const code = typeof said.code === 'string' ? said.code.slice(0, 100) : ''
  const content = [said.content, said.detail].find((one) => typeof one === 'string')
  return { kind: 'refused', code, content: lineOf(content) ?? '', status }
}

/** What a server says of itself is about the call; what it says of a checkout has a code of the protocol. */
function toolError(error: unknown): CheckoutAnswer {
  const data = isObject(error) && isObject(error.data) ? error.data : {}
  const code = typeof data.code === 'string' ? data.code.slice(0, 100) : ''
  if (code === 'rate_limited' || code === 'unavailable') return { kind: 'busy' }
  const isInternal = isObject(error) && error.code === -32603
  if (isInternal) return { kind: 'failed' }
  return { kind: 'refused', code, content: lineOf(data.content) ?? '', status: 400 }
}

const most = {
  lines: 100,
  messages: 20,
  methods: 10,
  groups: 20,
  options: 50,
  handlers: 50,
  destinations: 20,
  codes: 50,
}

function readCheckout(said: Readonly<Record<string, unknown>>, release: ClientRelease): Checkout | null {
  const status = statuses.find((one) => one === said.status)
  const id = idOf(said.id)
  const { currency } = said
  if (status === undefined || id === null || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
    return null
  const lines = listOf(said.line_items, most.lines).map(readLine)
  // A line that cannot be read may be what costs.
  if (lines.includes(null)) return null
  return {
    id,
    status,
    currency,
    lines: lines.flatMap((line) => line ?? []),
    totals: readTotals(said.totals, release),
    messages: messagesOf(said.messages),
    handlers: handlersOf(said),
    methods: isObject(said.fulfillment)
      ? listOf(said.fulfillment.methods, most.methods).flatMap((one) => readMethod(one) ?? [])
      : [],
    appliedCodes: isObject(said.discounts)
      ? listOf(said.discounts.applied, most.codes).flatMap((one) =>
          isObject(one) ? (lineOf(one.code) ?? []) : [],
        )
      : [],
    order: readOrder(said),
    continueUrl: addressOf(said.continue_url),
  }
}

function readLine(value: unknown): Checkout['lines'][number] | null {
  if (!isObject(value) || !isObject(value.item)) return null
  const itemId = idOf(value.item.id)
  const { quantity } = value
  const price = amountOf(value.item.price)
  if (itemId === null || price === null || typeof quantity !== 'number' || !Number.isSafeInteger(quantity))
    return null
  return { id: idOf(value.id), itemId, title: lineOf(value.item.title), quantity, price }
}

function messagesOf(value: unknown): CheckoutMessage[] {
  return listOf(value, most.messages).flatMap((one) => {
    if (!isObject(one) || typeof one.type !== 'string') return []
    return {
      type: one.type,
      code: typeof one.code === 'string' ? one.code.slice(0, 100) : '',
      content: lineOf(one.content) ?? '',
      severity: typeof one.severity === 'string' ? one.severity : null,
    }
  })
}

/** The first release lists them beside `ucp`. */
function handlersOf({ ucp, payment }: Readonly<Record<string, unknown>>): Checkout['handlers'] {
  const registry = isObject(ucp) && isObject(ucp.payment_handlers) ? ucp.payment_handlers : {}
  const named = Object.entries(registry).flatMap(([name, entries]) =>
    listOf(entries, most.handlers).map((entry): [unknown, unknown] => [name, entry]),
  )
  const listed = isObject(payment)
    ? listOf(payment.handlers, most.handlers).map((entry): [unknown, unknown] => [
        isObject(entry) ? entry.name : null,
        entry,
      ])
    : []
  return [...named, ...listed].flatMap(([name, entry]) => {
    const id = isObject(entry) ? idOf(entry.id) : null
    const config = isObject(entry) && isObject(entry.config) ? entry.config : {}
    return typeof name === 'string' && id !== null ? [{ name, id, config }] : []
  })
}

function readMethod(value: unknown): FulfillmentMethod | null {
  const id = isObject(value) ? idOf(value.id) : null
  if (!isObject(value) || id === null) return null
  return {
    id,
    type: typeof value.type === 'string' ? value.type : 'shipping',
    lineItemIds: listOf(value.line_item_ids, most.lines).flatMap((one) => idOf(one) ?? []),
    destinations: listOf(value.destinations, most.destinations).filter(isObject),
    selectedDestinationId: idOf(value.selected_destination_id),
    groups: listOf(value.groups, most.groups).flatMap((one) => {
      const groupId = isObject(one) ? idOf(one.id) : null
      if (!isObject(one) || groupId === null) return []
      const options = listOf(one.options, most.options).flatMap((option) => readOption(option) ?? [])
      return [{ id: groupId, selectedOptionId: idOf(one.selected_option_id), options }]
    }),
  }
}

function readOption(value: unknown): FulfillmentOption | null {
  const id = isObject(value) ? idOf(value.id) : null
  if (!isObject(value) || id === null) return null
  const total = listOf(value.totals, 20).find((one) => isObject(one) && one.type === 'total')
  const amount = isObject(total) ? amountOf(total.amount) : null
  if (amount === null) return null
  const latest = value.latest_fulfillment_time ?? value.earliest_fulfillment_time
  return {
    id,
    title: lineOf(value.title) ?? id,
    amount,
    latest: typeof latest === 'string' && !Number.isNaN(Date.parse(latest)) ? latest : null,
  }
}

/** In the first release its id stands at the checkout itself. */
function readOrder({
  order,
  order_id,
  order_permalink_url,
}: Readonly<Record<string, unknown>>): Checkout['order'] {
  const named = isObject(order) ? order : { id: order_id, permalink_url: order_permalink_url }
  const id = idOf(named.id)
  return id === null ? null : { id, url: pageOf(named.permalink_url) }
}

function pageOf(value: unknown): string | null {
  const address = addressOf(value)
  return address?.startsWith('https:') ? address : null
}

const addressMax = 2_048

function addressOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > addressMax) return null
  const url = URL.parse(value)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.username === '' && url.password === '' && url.href.length <= addressMax ? url.href : null
}

/** The most that an amount of ours can be, in minor units. */
const amountMax = 1_000_000_000_000

function amountOf(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > amountMax) return null
  return value
}

/** Kept as it is, since it is sent back. */
function idOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > 500) return null
  return value.isWellFormed() && !value.includes('\0') ? value : null
}

function lineOf(value: unknown): string | null {
  return typeof value === 'string' ? plainLine(value, 255) || null : null
}

function listOf(value: unknown, max: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : []
}
