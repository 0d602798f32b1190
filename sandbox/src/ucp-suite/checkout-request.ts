import { BadRequest, type Fields, integer, isObject, objectField, optionalText, text } from '../fields.ts'
import { mockHandler } from './dialect.ts'
import type { KnownAddresses } from './known-addresses.ts'
import { firstOf, part, parts } from './reading.ts'
import { shortOf } from './refusals.ts'
import type { SuiteNames } from './seed-shop.ts'

/** More of one thing than can be sold at once. */
const quantityMax = 10_000

/** The service takes orders only of buyers whose e-mail address it knows, and the suite buys without one. */
const nobody = 'nobody@ucp-suite.example'

type Known = {
  names: SuiteNames
  addresses: KnownAddresses
  /** The checkout as the service has it: what is left out of the request stays. Undefined: it is a new one. */
  before?: Fields
}

/** A checkout in the words of the service, which is sent as a whole each time. */
export function requestOf(body: Fields, known: Known): Fields {
  const { before } = known
  const buyer = part(body, 'buyer')
  const discounts = part(body, 'discounts') ?? before?.discounts
  return {
    line_items: linesOf(body, known),
    context: { currency: optionalText(body, 'currency') },
    buyer: buyer ? buyerOf(buyer) : (before?.buyer ?? { email: nobody }),
    fulfillment: fulfillmentOf(body, known),
    discounts: { codes: codesOf(discounts) },
  }
}

/** The same checkout once more, as it was. */
export function repeatOf(before: Fields): Fields {
  const lines = (parts(before, 'line_items') ?? []).map(({ id, item, quantity }) => ({ id, item, quantity }))
  const { buyer } = before
  return {
    line_items: lines,
    buyer,
    fulfillment: stayingDelivery(before),
    discounts: { codes: codesOf(before.discounts) },
  }
}

/** Whether the platform asks in which ways goods are delivered. */
export function asksDelivery(body: Fields): boolean {
  return shippingIn(body) !== undefined
}

/** A buyer without the e-mail address that stands for none; undefined: nothing is known of the buyer. */
export function knownBuyer(buyer: Fields | undefined): Fields | undefined {
  const { email, ...rest } = buyer ?? {}
  const known = email === undefined || email === nobody ? rest : { ...rest, email }
  return Object.keys(known).length === 0 ? undefined : known
}

function linesOf(body: Fields, { names }: Known): Fields[] {
  const lines = parts(body, 'line_items') ?? []
  if (lines.length === 0) throw new BadRequest('line_items must name what is bought')
  return lines.map((line) => {
    const name = text(objectField(line, 'item'), 'id')
    const quantity = integer(line, 'quantity', { min: 1, max: Number.MAX_SAFE_INTEGER })
    if (quantity > quantityMax) throw shortOf(name)
    return { id: optionalText(line, 'id'), item: { id: names.variants.idOf(name) }, quantity }
  })
}

function buyerOf(sent: Fields): Fields {
  const [first, ...rest] = optionalText(sent, 'full_name')?.split(' ') ?? []
  return {
    first_name: sent.first_name ?? first,
    last_name: sent.last_name ?? (rest.length > 0 ? rest.join(' ') : undefined),
    email: sent.email ?? nobody,
    phone_number: sent.phone_number ?? undefined,
  }
}

function codesOf(discounts: unknown): unknown {
  return isObject(discounts) ? (discounts.codes ?? []) : []
}

function shippingIn(body: Fields): Fields | undefined {
  const methods = parts(part(body, 'fulfillment') ?? {}, 'methods')
  return methods?.find(({ type }) => (type ?? 'shipping') === 'shipping')
}

function fulfillmentOf(body: Fields, { names, addresses, before }: Known): Fields {
  const method = shippingIn(body)
  if (!method) return stayingDelivery(before)
  const sent = parts(method, 'destinations') ?? []
  const selected = optionalText(method, 'selected_destination_id')
  const had = parts(firstOf(part(before ?? {}, 'fulfillment'), 'methods') ?? {}, 'destinations') ?? []
  // A destination of before that is selected again need not be sent again: with none, the service keeps those that it has.
  const isKept = sent.length === 0 && had.some(({ id }) => id === selected)
  const email = optionalText(knownBuyer(part(body, 'buyer') ?? part(before ?? {}, 'buyer')) ?? {}, 'email')
  const option = optionalText(firstOf(method, 'groups') ?? {}, 'selected_option_id')
  return deliveryOf({
    destinations: isKept ? [] : addresses.complete(email, sent).map(destinationOf),
    selected,
    option: option === undefined ? undefined : names.options.idOf(option),
  })
}

function stayingDelivery(before: Fields | undefined): Fields {
  const method = firstOf(part(before ?? {}, 'fulfillment'), 'methods')
  return deliveryOf({
    destinations: [],
    selected: method?.selected_destination_id,
    option: firstOf(method, 'groups')?.selected_option_id,
  })
}

function deliveryOf(wanted: { destinations: readonly Fields[]; selected: unknown; option: unknown }): Fields {
  const { destinations, selected, option } = wanted
  return {
    methods: [
      {
        type: 'shipping',
        destinations,
        selected_destination_id: selected ?? null,
        groups: [{ selected_option_id: option ?? null }],
      },
    ],
  }
}

function destinationOf({ full_name, ...address }: Fields): Fields {
  const [first, ...rest] = typeof full_name === 'string' ? full_name.split(' ') : []
  const name = { first_name: first, last_name: rest.length > 0 ? rest.join(' ') : undefined }
  return { ...Object.fromEntries(Object.entries(address).filter(([, value]) => value !== null)), ...name }
}

/** The test cards by which the tokens of the mock handler pay. */
const cards: ReadonlyMap<string, string> = new Map([
  ['success_token', 'visa_auto_approved'],
  ['fail_token', 'visa_issuer_declined'],
])

/** A well-known number of test cards. Any other number is refused: no card pays here. */
const testCardNumber = '4242424242424242'

/** What it is paid with. What pays nothing is sent all the same: the service refuses it, and knows a key that comes with another body. */
export function paymentOf(body: Fields): Fields {
  const instrument = objectField(body, 'payment_data')
  const handler = text(instrument, 'handler_id')
  const { token, number } = part(instrument, 'credential') ?? {}
  const isCard = number === testCardNumber
  const card = isCard ? 'visa_auto_approved' : cards.get(String(token))
  return {
    payment: {
      instruments: [
        {
          id: text(instrument, 'id'),
          handler_id: handler === mockHandler ? 'test_card' : handler,
          type: 'card',
          credential: { type: 'test_card', token: card ?? `no test card: ${token ?? 'another number'}` },
        },
      ],
    },
  }
}
