import { isDeepStrictEqual } from 'node:util'
import type { Item, Variant } from '../catalog/public.ts'
import { csvColumns, csvOptionsMax } from './csv-columns.ts'
import { guarded } from './csv-formulas.ts'

export const csvHeader = `${csvColumns.join(',')}\r\n`

type Cells = Record<string, string>

/** The lines of one item: each has a variant and a picture, where there are any left. An import makes the same item from them. */
export function csvLines(row: Item): string {
  const { variants, media } = row
  const isPlain = hasPlainOptions(row)
  const count = Math.max(1, variants.length, media.length)
  const lines = Array.from({ length: count }, (_, index): Cells => {
    const variant = variants[index]
    const picture = media[index]
    return {
      id: row.id,
      handle: row.handle ?? '',
      ...(index === 0 ? itemCells(row, isPlain) : {}),
      ...(variant ? variantCells(variant, row, isPlain) : {}),
      ...(picture
        ? { media_url: picture.url, media_type: picture.type, media_alt_text: picture.alt_text ?? '' }
        : {}),
    }
  })
  // guard every-cell-is-guarded: no cell of an export is a formula
  return lines
    .map((cells) => `${csvColumns.map((column) => quoted(guarded(cells[column] ?? ''))).join(',')}\r\n`)
    .join('')
}

function itemCells(row: Item, isPlain: boolean): Cells {
  return {
    title: row.title ?? '',
    description: row.description ?? '',
    url: row.url ?? '',
    item_type: row.item_type,
    status: row.status,
    categories: listCell(row.categories),
    options: isPlain ? '' : JSON.stringify(row.options),
    required_inputs: row.required_inputs.length > 0 ? JSON.stringify(row.required_inputs) : '',
    metadata: Object.keys(row.metadata).length > 0 ? JSON.stringify(row.metadata) : '',
  }
}

function variantCells(variant: Variant, { options }: Item, isPlain: boolean): Cells {
  const chosen = options.map(({ name }) => variant.options.find((option) => option.name === name))
  const named = isPlain
    ? chosen.flatMap((option, index) =>
        option
          ? [
              [`option${index + 1}_name`, option.name],
              [`option${index + 1}_value`, option.value],
            ]
          : [],
      )
    : [['variant_options', JSON.stringify(variant.options)]]
  return {
    variant_id: variant.id,
    variant_sku: variant.sku ?? '',
    variant_barcode: variant.barcode ?? '',
    variant_title: variant.title ?? '',
    variant_price: variant.price === null ? '' : String(variant.price),
    variant_currency: variant.currency ?? '',
    variant_availability: variant.availability,
    variant_quantity: variant.quantity === null ? '' : String(variant.quantity),
    // Items that were stored before variants had these two fields lack them.
    variant_weight_grams: String(variant.weight_grams ?? ''),
    variant_fulfillment_label: variant.fulfillment_label ?? '',
    ...Object.fromEntries(named),
  }
}

/** Whether the columns for options can hold all of the item's options: its values in the order in which variants choose them. */
function hasPlainOptions({ options, variants }: Item): boolean {
  if (options.length > csvOptionsMax) return false
  const said = options.map(({ name }) => ({
    name,
    values: [
      ...new Set(
        variants.flatMap((variant) =>
          variant.options.filter((option) => option.name === name).map(({ value }) => value),
        ),
      ),
    ],
  }))
  const isOrdered = variants.every((variant) =>
    isDeepStrictEqual(
      variant.options,
      options.flatMap(({ name }) => variant.options.find((option) => option.name === name) ?? []),
    ),
  )
  return isOrdered && isDeepStrictEqual(said, options)
}

function listCell(values: readonly string[]): string {
  const isPlain = values.every(
    (value) => !value.includes(';') && !value.startsWith('[') && value.trim() === value && value !== '',
  )
  return isPlain ? values.join(';') : JSON.stringify(values)
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
