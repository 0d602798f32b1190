import type { Fields } from '../fields.ts'
import { knownBuyer } from './checkout-request.ts'
import { handlersOf, metadataOf } from './dialect.ts'
import { firstOf, part, parts } from './reading.ts'
import type { SuiteNames } from './seed-shop.ts'

/** What a checkout of the suite's release shows and the service does not know. */
export type Shown = {
  /** Whether the platform has asked for ways of delivery: its clients ask where there are none yet. */
  asksDelivery: boolean
  consent: Fields | undefined
}

/** A checkout in the words of the suite. `at`: where the shop is. */
export function checkoutAnswer(
  document: Fields,
  { shown, names, at }: { shown: Shown; names: SuiteNames; at: string },
): Fields {
  const { ucp: _, line_items: __, buyer: ___, fulfillment: ____, totals: _____, ...rest } = document
  const buyer = knownBuyer(part(document, 'buyer'))
  const { consent } = shown
  const totals = parts(document, 'totals') ?? []
  const fulfillment = part(document, 'fulfillment')
  return {
    ucp: metadataOf(['checkout', 'fulfillment', 'discount', 'buyer_consent']),
    ...rest,
    line_items: (parts(document, 'line_items') ?? []).map((line) => ({
      ...line,
      item: named(part(line, 'item') ?? {}, names.variants.nameOf),
    })),
    ...(buyer || consent ? { buyer: { ...buyer, ...(consent ? { consent } : {}) } } : {}),
    totals: shown.asksDelivery ? totals : totals.filter(({ type }) => type !== 'fulfillment'),
    payment: { ...part(document, 'payment'), handlers: handlersOf(at) },
    ...(fulfillment && shown.asksDelivery ? { fulfillment: fulfillmentOf(fulfillment, names) } : {}),
  }
}

export function named(thing: Fields, nameOf: (id: string) => string): Fields {
  return { ...thing, id: nameOf(String(thing.id)) }
}

/** What is sent for nothing says so in its title. */
export function titleOf(title: unknown, amount: unknown): unknown {
  return amount === 0 ? `${title} (Free)` : title
}

/** How much it is in all, of a checkout or of a part of it. */
export function totalOf(document: Fields, wanted = 'total'): unknown {
  return parts(document, 'totals')?.find(({ type }) => type === wanted)?.amount
}

function fulfillmentOf(fulfillment: Fields, names: SuiteNames): Fields {
  const method = firstOf(fulfillment, 'methods') ?? {}
  const destinations = parts(method, 'destinations') ?? []
  const group = firstOf(method, 'groups') ?? {}
  const options = parts(group, 'options') ?? []
  const { selected_option_id: selected } = group
  const { id, type, line_item_ids, selected_destination_id } = method
  const shownGroup = {
    id: group.id,
    line_item_ids: group.line_item_ids,
    options: options.map((one) => optionOf(one, names)),
    selected_option_id: typeof selected === 'string' ? names.options.nameOf(selected) : null,
  }
  return {
    methods: [
      {
        id,
        type,
        line_item_ids,
        ...(destinations.length > 0 ? { destinations: destinations.map(destinationOf) } : {}),
        selected_destination_id,
        ...(options.length > 0 ? { groups: [shownGroup] } : {}),
      },
    ],
  }
}

export function destinationOf({ first_name, last_name, ...address }: Fields): Fields {
  const name = [first_name, last_name].filter((one) => one !== undefined).join(' ')
  return { ...(name === '' ? {} : { full_name: name }), ...address }
}

function optionOf(one: Fields, names: SuiteNames): Fields {
  const amount = totalOf(one)
  return {
    ...named({ id: one.id }, names.options.nameOf),
    title: titleOf(one.title, amount),
    description: one.description,
    totals: [
      { type: 'subtotal', amount },
      { type: 'total', amount },
    ],
  }
}
