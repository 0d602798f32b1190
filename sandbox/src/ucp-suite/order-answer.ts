import type { Fields } from '../fields.ts'
import { destinationOf, named, titleOf, totalOf } from './checkout-answer.ts'
import { metadataOf } from './dialect.ts'
import { part, parts } from './reading.ts'
import type { SuiteNames } from './seed-shop.ts'

/** An order in the words of the suite. */
export function orderAnswer(document: Fields, names: SuiteNames): Fields {
  const fulfillment = part(document, 'fulfillment') ?? {}
  const delivery = totalOf(document, 'fulfillment')
  return {
    ...document,
    ucp: metadataOf(['order']),
    line_items: (parts(document, 'line_items') ?? []).map((line) => lineOf(line, names)),
    fulfillment: {
      ...fulfillment,
      expectations: (parts(fulfillment, 'expectations') ?? []).map((one) => ({
        ...one,
        destination: destinationOf(part(one, 'destination') ?? {}),
        ...(one.description === undefined ? {} : { description: titleOf(one.description, delivery) }),
      })),
    },
    adjustments: (parts(document, 'adjustments') ?? []).map(adjustmentOf),
  }
}

/** What has happened to an order, by the names that messages of the suite's release have. */
export function eventsOf(document: Fields): string[] {
  const isShipped = (parts(part(document, 'fulfillment') ?? {}, 'events') ?? []).length > 0
  return ['order_placed', ...(isShipped ? ['order_shipped'] : [])]
}

function lineOf(line: Fields, { variants }: SuiteNames): Fields {
  const { total, fulfilled } = part(line, 'quantity') ?? {}
  return {
    ...line,
    item: named(part(line, 'item') ?? {}, variants.nameOf),
    quantity: { total, fulfilled },
    // What was given back in full is not on its way any more, and this release has no word for it.
    status: line.status === 'removed' ? 'fulfilled' : line.status,
  }
}

/** One amount, where later releases have totals, in which what goes back is negative. */
function adjustmentOf({ totals, ...one }: Fields): Fields {
  const amount = totalOf({ totals })
  return { ...one, ...(typeof amount === 'number' ? { amount: -amount } : {}) }
}
