import { checkAll, invalid, Problem } from '../../../contract/problem.ts'
import type { Id } from '../../../core/id.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import { filled } from '../../../schema/rules.ts'
import { type ItemRow, itemRules, type Variant, type VariantWrite } from './item.ts'

/** How a purchase names a variant: by id, by SKU, or by the chosen options. */
export type VariantChoice = {
  readonly id?: string | undefined
  readonly sku?: string | undefined
  readonly selections?: readonly { readonly name: string; readonly value: string }[] | undefined
}

/**
 * The variant that a purchase means: the one that matches the choice, or without a choice the only one. `required` when several are left
 * to choose from.
 */
export function findVariant(
  item: Pick<ItemRow, 'variants'>,
  choice: VariantChoice | null | undefined,
): Variant | 'required' | 'not_found' {
  const fitting = item.variants.filter((variant) => fits(variant, choice ?? {}))
  const [first] = fitting
  if (!first) return 'not_found'
  return fitting.length === 1 ? first : 'required'
}

/** Whether a variant can be sold in this quantity at this moment. */
export function stockFor(
  variant: Variant,
  quantity: number,
): 'available' | 'product_out_of_stock' | 'insufficient_stock' {
  if (variant.availability === 'out_of_stock' || variant.availability === 'discontinued')
    return 'product_out_of_stock'
  // A variant that is made or bought after the order has no stock that could run out.
  if (variant.quantity === null || variant.availability !== 'in_stock') return 'available'
  if (variant.quantity === 0) return 'product_out_of_stock'
  return variant.quantity < quantity ? 'insufficient_stock' : 'available'
}

/** The variants as stored, from the whole list that the caller wrote. A variant named by its id keeps the fields that are left out. */
export function writtenVariants(
  written: readonly VariantWrite[],
  known: readonly Variant[],
  facts: { currency: string | null; newId: (prefix: 'var') => Id<'var'> },
): Variant[] {
  const variants = written.map((input, index) => {
    const before =
      input.id === undefined ? blank(facts.newId('var')) : known.find(({ id }) => id === input.id)
    if (!before) throw new Problem('not_found', { param: `variants[${index}].id` })
    const variant = { ...before, ...input, id: before.id }
    const currency = variant.currency === null ? facts.currency : normalizeCurrency(variant.currency)
    return { ...variant, currency: variant.price === null ? variant.currency && currency : currency }
  })
  const [ids, skus] = [variants.map(({ id }) => id), variants.map(({ sku }) => sku)]
  checkAll(
    ...variants.flatMap((variant, index) => [
      () => requireCurrency(variant, index),
      () => refuseRepeated(ids, index, 'id'),
      () => refuseRepeated(skus, index, 'sku'),
    ]),
  )
  return variants
}

function fits(variant: Variant, choice: VariantChoice): boolean {
  if (choice.id !== undefined && choice.id !== variant.id) return false
  if (choice.sku !== undefined && choice.sku !== variant.sku) return false
  return (choice.selections ?? []).every((selection) =>
    variant.options.some(({ name, value }) => equal(name, selection.name) && equal(value, selection.value)),
  )
}

function equal(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function blank(id: Id<'var'>): Variant {
  return {
    id,
    sku: null,
    barcode: null,
    title: null,
    price: null,
    currency: null,
    availability: 'in_stock',
    quantity: null,
    options: [],
    weight_grams: null,
    fulfillment_label: null,
  }
}

function requireCurrency({ price, currency }: Variant, index: number): void {
  if (price === null || currency !== null) return
  throw invalid(['body', 'variants', index, 'currency'], itemRules.currency)
}

function refuseRepeated(values: readonly (string | null)[], index: number, field: string): void {
  const value = values[index] ?? null
  if (value === null || values.indexOf(value) === index) return
  throw invalid(['body', 'variants', index, field], filled(itemRules.repeated, { field }))
}
