/** How many options a line of a CSV file has columns for; items with more have theirs in `options` and `variant_options`. */
export const csvOptionsMax = 3

export const itemColumns = [
  'id',
  'handle',
  'title',
  'description',
  'url',
  'item_type',
  'status',
  'categories',
  'options',
  'required_inputs',
  'metadata',
] as const

export const variantFields = [
  'id',
  'sku',
  'barcode',
  'title',
  'price',
  'currency',
  'availability',
  'quantity',
  'weight_grams',
  'fulfillment_label',
  'options',
] as const

export const mediaFields = ['url', 'type', 'alt_text'] as const

const optionColumns: readonly string[] = Array.from({ length: csvOptionsMax }, (_, index) => [
  `option${index + 1}_name`,
  `option${index + 1}_value`,
]).flat()

/** Every column, in the order in which an export writes them. */
export const csvColumns: readonly string[] = [
  ...itemColumns,
  ...optionColumns,
  ...variantFields.map((field) => `variant_${field}`),
  ...mediaFields.map((field) => `media_${field}`),
]

/** Between the cells of files that spreadsheets write in countries where a comma stands in numbers. */
const otherSeparators = [
  { mark: ';', name: 'semicolons' },
  { mark: '\t', name: 'tabs' },
  { mark: '|', name: 'vertical bars' },
] as const

/** Why these are not the columns of a catalog, or null. */
export function columnsFault(columns: readonly string[]): string | null {
  const separator = otherSeparators.find(({ mark }) => columns.length === 1 && columns[0]?.includes(mark))
  if (separator)
    return `The cells of the first line are separated by ${separator.name}. Separate all cells by commas.`
  const unknown = columns.findIndex((column) => !csvColumns.includes(column))
  if (unknown !== -1)
    return `Column ${unknown + 1} of the first line is not a known column. Separate cells by commas. The columns are: ${csvColumns.join(', ')}.`
  const twice = columns.findIndex((column, index) => columns.indexOf(column) !== index)
  if (twice !== -1) return `Column ${twice + 1} of the first line repeats an earlier column.`
  return columns.includes('handle') || columns.includes('id')
    ? null
    : 'The first line needs the column handle or the column id.'
}
