import type { Refused } from '../pricing/public.ts'
import type { CheckoutMessage } from './checkout.ts'
import { currencyOf, type NamedLine, type PricingFacts } from './pricing-facts.ts'

type Refusal = Refused['refusals'][number]

const refusals = {
  product_not_found: ['item_unavailable', 'The merchant does not sell this item.'],
  product_out_of_stock: ['out_of_stock', 'The item is out of stock.'],
  insufficient_stock: ['out_of_stock', 'There are fewer units than that. Lower the quantity.'],
  variant_required: ['item_unavailable', 'The id names a product. Name one of its variants.'],
  unsupported_currency: ['item_unavailable', 'The item is not sold in the currency of this checkout.'],
  input_not_given: ['item_unavailable', 'The merchant must know more before it sells this item.'],
  merchant_unsupported: ['item_unavailable', 'The item cannot be bought at once.'],
  address_undeliverable: ['address_undeliverable', 'The merchant does not deliver there.'],
} as const

/** Why a line cannot be sold, at its place in the request. */
export function refusedLine({ line, code, message }: Refusal): CheckoutMessage {
  const [name, content] = refusals[code]
  const path =
    code === 'address_undeliverable'
      ? '$.fulfillment.methods[0].selected_destination_id'
      : `$.line_items[${line}]`
  return { type: 'error', code: name, content: message ?? content, path, severity: 'recoverable' }
}

/**
 * What is left where some of it cannot be had; null: nothing is. A line of which there is too little stays, at its price and with an
 * error at its place, and a line that has no price is left out. Until the platform has said what it wants instead, nothing can be paid.
 */
export function sellablePart(
  facts: PricingFacts,
  refused: readonly Refusal[],
): { readonly facts: PricingFacts; readonly messages: readonly CheckoutMessage[] } | null {
  const [first] = refused
  if (first?.code === 'address_undeliverable')
    return { facts: { ...facts, isReached: false }, messages: [refusedLine(first)] }
  const { lines } = facts
  if (refused.length === lines.length) return null
  const currency = currencyOf(facts)
  const isIn = ({ itemId }: NamedLine) =>
    facts.items.some(({ variants }) =>
      variants.some((variant) => variant.id === itemId && variant.currency === currency),
    )
  const isShort = (line: NamedLine, { code }: Refusal) =>
    (code === 'product_out_of_stock' || code === 'insufficient_stock') && isIn(line)
  const refusalOf = (index: number) => refused.find(({ line }) => line === index)
  const kept = lines.flatMap((line, index) => {
    const refusal = refusalOf(index)
    return refusal === undefined || isShort(line, refusal) ? [{ line, refusal }] : []
  })
  const short = kept.flatMap(({ line, refusal }, index) =>
    refusal ? [{ line, message: refusedLine({ ...refusal, line: index }) }] : [],
  )
  const leftOut = lines.flatMap((line, index) => {
    const refusal = refusalOf(index)
    return refusal && !isShort(line, refusal) ? [notTaken(line, refusal)] : []
  })
  return {
    facts: {
      ...facts,
      lines: kept.map(({ line }) => line),
      items: asIfThereWere(
        short.map(({ line }) => line),
        facts.items,
      ),
    },
    messages: [...short.map(({ message }) => message), ...leftOut],
  }
}

/** It has no place in the answer. */
function notTaken({ itemId }: NamedLine, refusal: Refusal): CheckoutMessage {
  const { path: _, content, ...message } = refusedLine(refusal)
  return { ...message, content: `${content} "${itemId}" was left out.` }
}

/** The catalog, with enough of what these lines name. */
function asIfThereWere(lines: readonly NamedLine[], items: PricingFacts['items']): PricingFacts['items'] {
  const ids = new Set(lines.map(({ itemId }) => itemId))
  return items.map((item) => ({
    ...item,
    variants: item.variants.map((variant) =>
      ids.has(variant.id) ? { ...variant, availability: 'in_stock', quantity: null } : variant,
    ),
  }))
}
