import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BadRequest } from '../fields.ts'

/** The shop that the official suite expects, from the files of its data folder. */
export type SuiteData = {
  readonly currency: string
  readonly products: readonly { id: string; title: string; price: number; imageUrl: string; stock: number }[]
  readonly shipping: readonly {
    id: string
    country: string | null
    level: string
    price: number
    title: string
  }[]
  readonly codes: readonly { code: string; kind: 'percent' | 'amount'; value: number; title: string }[]
  /** From which subtotal on, or for which products, standard shipping is free. */
  readonly freeShipping: readonly { minSubtotal: number | null; products: readonly string[] }[]
  readonly addresses: readonly SuiteAddress[]
}

type SuiteAddress = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly street: string
  readonly city: string
  readonly state: string
  readonly postalCode: string
  readonly country: string
}

export function readSuiteData(folder: string): SuiteData {
  const table = (file: string) => rowsOf(read(folder, file), file)
  const stock = new Map(
    table('inventory.csv').map((row) => [text(row, 'product_id'), whole(row, 'quantity')]),
  )
  const customers = new Map(table('customers.csv').map((row) => [text(row, 'id'), row]))
  const config: { currency?: string } = JSON.parse(read(folder, 'conformance_input.json'))
  return {
    currency: config.currency ?? 'USD',
    products: table('products.csv').map((row) => ({
      id: text(row, 'id'),
      title: text(row, 'title'),
      price: whole(row, 'price'),
      imageUrl: text(row, 'image_url'),
      stock: stock.get(text(row, 'id')) ?? 0,
    })),
    shipping: table('shipping_rates.csv').map((row) => ({
      id: text(row, 'id'),
      country: text(row, 'country_code') === 'default' ? null : text(row, 'country_code'),
      level: text(row, 'service_level'),
      price: whole(row, 'price'),
      title: text(row, 'title'),
    })),
    codes: table('discounts.csv').map((row) => ({
      code: text(row, 'code'),
      kind: kindOf(text(row, 'type')),
      value: whole(row, 'value'),
      title: text(row, 'description'),
    })),
    freeShipping: table('promotions.csv').map(freeShippingOf),
    addresses: table('addresses.csv').map((row) => {
      const customer = customers.get(text(row, 'customer_id'))
      if (!customer) throw new BadRequest(`addresses.csv names a customer that customers.csv lacks.`)
      return {
        id: text(row, 'id'),
        email: text(customer, 'email'),
        name: text(customer, 'name'),
        street: text(row, 'street_address'),
        city: text(row, 'city'),
        state: text(row, 'state'),
        postalCode: text(row, 'postal_code'),
        country: text(row, 'country'),
      }
    }),
  }
}

type Row = { readonly file: string; readonly cells: ReadonlyMap<string, string> }

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

function rowsOf(content: string, file: string): Row[] {
  const [names, ...lines] = content.split(/\r?\n/).filter((line) => line !== '')
  const header = cellsOf(names ?? '')
  return lines.map((line) => {
    const cells = cellsOf(line)
    return { file, cells: new Map(header.map((name, index) => [name, cells[index] ?? ''])) }
  })
}

/** A quote counts only where a cell begins with one; the suite has lists of JSON with quotes inside. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
}

function text({ cells, file }: Row, name: string): string {
  const cell = cells.get(name)
  if (cell === undefined) throw new BadRequest(`${file} has no column ${name}.`)
  return cell
}

function whole(row: Row, name: string): number {
  const value = Number(text(row, name))
  if (!Number.isSafeInteger(value) || value < 0)
    throw new BadRequest(`${row.file}: ${name} must be a whole number, not "${text(row, name)}".`)
  return value
}

function kindOf(type: string): 'percent' | 'amount' {
  if (type === 'percentage') return 'percent'
  if (type === 'fixed_amount') return 'amount'
  throw new BadRequest(`discounts.csv: a discount of the type "${type}" cannot be made here.`)
}

function freeShippingOf(row: Row): SuiteData['freeShipping'][number] {
  const type = text(row, 'type')
  if (type !== 'free_shipping')
    throw new BadRequest(`promotions.csv: a promotion of the type "${type}" cannot be made here.`)
  const listed = text(row, 'eligible_item_ids')
  const products: string[] = listed === '' ? [] : JSON.parse(listed)
  return { minSubtotal: text(row, 'min_subtotal') === '' ? null : whole(row, 'min_subtotal'), products }
}
