import type { MerchantRecord } from '../merchant/public.ts'
import type { ItemRow } from './item.ts'
import { isPlacedWithin } from './write-item.ts'

type Publishable = Pick<ItemRow, 'title' | 'variants' | 'options'>

/** Why an item cannot be published, or null: a buyer must see a name and a price, and be able to choose. */
export function publishFault(
  row: Publishable & Pick<ItemRow, 'url'>,
  merchant: MerchantRecord | null,
): string | null {
  if (row.url && !isPlacedWithin(row.url, merchant)) return "The item's URL is not on the merchant's domain."
  return offerFault(row)
}

/** The part of the check that a published item must always pass, even when the merchant's domain changes. */
export function offerFault({ title, variants, options }: Publishable): string | null {
  if (title === null || !variants.some(({ price }) => price !== null))
    return 'The item needs a title and a variant with a price.'
  return choiceFault(variants, options)
}

/** Where an item has options, variants choose among their values, and no two choose the same. */
function choiceFault(variants: ItemRow['variants'], options: ItemRow['options']): string | null {
  if (options.length === 0) return null
  const chosen = new Set<string>()
  for (const variant of variants) {
    const names = variant.options.map(({ name }) => name.toLowerCase())
    if (new Set(names).size < names.length) return 'A variant has the same option twice.'
    const isKnown = variant.options.every(({ name, value }) =>
      options.some(
        (option) => isEqual(option.name, name) && option.values.some((each) => isEqual(each, value)),
      ),
    )
    if (!isKnown) return 'A variant has an option or a value that the item does not have.'
    if (names.length === 0) continue
    const choice = JSON.stringify(
      variant.options.map(({ name, value }) => [name, value].join('\n').toLowerCase()).sort(),
    )
    if (chosen.has(choice)) return 'Two variants have the same options.'
    chosen.add(choice)
  }
  return null
}

function isEqual(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
