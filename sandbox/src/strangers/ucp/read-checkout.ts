import { BadRequest, type Fields, isObject } from '../../fields.ts'
import type { Address, Cart } from '../shop/cart.ts'
import { findItem } from '../shop/goods.ts'
import { type Answer, type Call, refusal } from './call.ts'
import { isKnownCode } from './checkout-state.ts'
import { addressFields, type Buyer, type Destination, type Session } from './session.ts'
import { products } from './stories.ts'
import { storefront } from './ucp-shop.ts'

/** What a platform asks for in the body of a create or an update. */
export type Wanted = {
  lines: { sku: string; quantity: number }[]
  buyer: Buyer
  delivery: { destinations: Fields[]; destinationId: string | null; optionId: string | null } | null
  codes: string[]
  attribution: Record<string, string>
}

/** Of extensions that were not agreed on nothing is read. */
export function readWanted(body: Fields, capabilities: readonly string[]): Wanted {
  const has = (name: string) => capabilities.includes(`dev.ucp.shopping.${name}`)
  const { line_items } = body
  if (!Array.isArray(line_items) || line_items.length === 0 || line_items.length > 100)
    throw new BadRequest('line_items must be a list of 1 to 100 lines')
  return {
    lines: line_items.map(lineOf),
    buyer: textsOf(body.buyer, ['first_name', 'last_name', 'full_name', 'email', 'phone_number']),
    delivery: has('fulfillment') ? deliveryOf(body.fulfillment) : null,
    codes: has('discount') && isObject(body.discounts) ? textList(body.discounts.codes) : [],
    attribution: attributionOf(body.attribution),
  }
}

/** What can not be sold at all. */
export function refusedGoods({ agreed }: Call, { lines }: Wanted): Answer | undefined {
  if (new Set(lines.map(({ sku }) => sku)).size < lines.length)
    throw new BadRequest('line_items names an item twice: say its quantity instead')
  for (const { sku } of lines) {
    const item = findItem(products, sku)
    if (item === undefined) return refusal(agreed, 'item_unavailable', `Product ${sku} not found.`)
    if (item.stock === 0) return refusal(agreed, 'out_of_stock', `Insufficient stock for ${sku}.`)
  }
  return undefined
}

/** The destinations known by now, the one that is selected, and how it is sent. */
export function deliveryAfter(
  { delivery }: Wanted,
  before: Pick<Session, 'destinations' | 'selectedDestinationId'>,
  optionBefore: string | null,
) {
  const given = (delivery?.destinations ?? []).map((one, index) =>
    destinationOf(one, before.destinations, index),
  )
  const kept = before.destinations.filter(({ id }) => given.every((one) => one.id !== id))
  const destinations = [...kept, ...given].slice(-20)
  const only = given.length === 1 ? (given[0]?.id ?? null) : before.selectedDestinationId
  const asked = delivery?.destinationId ?? only
  const selectedDestinationId = destinations.some(({ id }) => id === asked) ? asked : null
  const option = delivery?.optionId ?? (delivery === null ? optionBefore : null)
  const isKnown = storefront.deliveries.some(({ id }) => id === option)
  return { destinations, selectedDestinationId, option: isKnown ? option : null }
}

/** The cart of the shop that this is: a browser can go on with it. */
export function cartWith(
  cart: Cart,
  { lines, buyer, codes }: Wanted,
  sent: { destination: Destination | undefined; option: string | null },
): Cart {
  return {
    ...cart,
    lines,
    email: buyer.email ?? null,
    address: sent.destination === undefined ? null : addressOf(sent.destination, buyer),
    delivery: sent.option,
    promo: codes.some(isKnownCode) ? (storefront.promo?.code ?? null) : null,
  }
}

function lineOf(value: unknown): Wanted['lines'][number] {
  const item = isObject(value) && isObject(value.item) ? value.item : {}
  const quantity = isObject(value) ? value.quantity : undefined
  if (typeof item.id !== 'string' || item.id.length > 200)
    throw new BadRequest('line_items[].item.id must be a string')
  if (typeof quantity !== 'number' || !Number.isSafeInteger(quantity) || quantity < 1 || quantity > 100_000)
    throw new BadRequest('line_items[].quantity must be an integer of 1 or more')
  return { sku: item.id, quantity }
}

/** The platform may leave out what stands in the checkout already. */
function deliveryOf(fulfillment: unknown): Wanted['delivery'] {
  const methods = isObject(fulfillment) && Array.isArray(fulfillment.methods) ? fulfillment.methods : []
  const [method] = methods.filter(isObject)
  if (method === undefined) return null
  const [group] = Array.isArray(method.groups) ? method.groups.filter(isObject) : []
  return {
    destinations: (Array.isArray(method.destinations) ? method.destinations : []).filter(isObject),
    destinationId: textOf(method.selected_destination_id),
    optionId: textOf(group?.selected_option_id),
  }
}

/** An address that came before keeps its id. */
function destinationOf(given: Fields, known: readonly Destination[], index: number): Destination {
  const address = textsOf(given, addressFields)
  const same = known.find((one) => addressFields.every((name) => one[name] === address[name]))
  const id = textOf(given.id) ?? same?.id ?? `dest_${known.length + index + 1}`
  return { id, ...address }
}

function addressOf(destination: Destination, buyer: Buyer): Address {
  const { first_name = buyer.first_name, last_name = buyer.last_name } = destination
  return {
    name: destination.full_name ?? [first_name, last_name].filter(Boolean).join(' '),
    line1: destination.street_address ?? '',
    line2: destination.extended_address ?? '',
    city: destination.address_locality ?? '',
    region: destination.address_region ?? '',
    postalCode: destination.postal_code ?? '',
    country: destination.address_country ?? '',
    phone: destination.phone_number ?? buyer.phone_number ?? '',
  }
}

function attributionOf(value: unknown): Record<string, string> {
  const pairs = Object.entries(isObject(value) ? value : {}).slice(0, 50)
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => textOf(pair[1]) !== null))
}

function textsOf<Name extends string>(value: unknown, names: readonly Name[]): Partial<Record<Name, string>> {
  const texts: Partial<Record<Name, string>> = {}
  if (!isObject(value)) return texts
  for (const name of names) {
    const text = textOf(value[name])
    if (text !== null) texts[name] = text
  }
  return texts
}

function textList(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).flatMap((one) => textOf(one) ?? []).slice(0, 20)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 500 ? value : null
}
