import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, Described, IdParam, Named, Nullable } from '../../../contract/schemas.ts'
import { exportedItem, type Item, readItemsAfter } from '../catalog/public.ts'
import { csvHeader, csvLines } from './export-csv.ts'
import { CatalogImportFormat, type ImportFormat } from './import.ts'

const limitDefault = 100
const limitMax = 500
/** How many items are read at once when the whole catalog is written. */
const streamedAtOnce = 500

const CatalogExport = Named(
  'CatalogExport',
  Closed(
    {
      object: Type.Literal('catalog_export', { description: 'The type of this object.' }),
      format: Described(CatalogImportFormat, 'The format of the page.'),
      content: Type.String({ description: 'The page: a complete file, which an import takes.' }),
      items: Type.Integer({ minimum: 0, description: 'How many items it has.' }),
      next_after: Nullable(
        Type.String({ description: 'The `after` of the next page; null if this is the last one.' }),
      ),
    },
    { description: 'A page of catalog items, as a file.' },
  ),
)

export const exportMerchantCatalogItems = defineOperation({
  id: 'v1_export_merchant_catalog_items',
  method: 'GET',
  path: '/v1/merchant/catalog_items/export',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant catalog',
  summary: 'Export catalog items',
  description:
    'Pages of every item that is not archived, oldest first, in the format that an import takes: importing an export ' +
    'changes nothing. Send `next_after` as `after` to get the next page.',
  reads: 'bulk',
  downloads: ['application/x-ndjson', 'text/csv'],
  query: Closed({
    format: Type.Optional({
      ...CatalogImportFormat,
      default: 'json_lines',
      description: 'The format of a page. A whole file has the type that is accepted.',
    }),
    after: Type.Optional(IdParam('Only items after this one: `next_after` of the page before.', 'cat')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limitMax,
        default: limitDefault,
        description: 'The most items on a page.',
      }),
    ),
  }),
  responses: { 200: CatalogExport },
  answers: {
    200: 'A page as JSON. With `Accept: application/x-ndjson` or `Accept: text/csv`, the whole catalog as one file.',
  },
  async handle(ctx, { query }) {
    const after = query.after ?? ''
    if (ctx.accepts !== null) {
      const format = ctx.accepts === 'text/csv' ? 'csv' : 'json_lines'
      const filename = format === 'csv' ? 'catalog-items.csv' : 'catalog-items.ndjson'
      return { type: ctx.accepts, filename, download: wholeFile(ctx, format, after) }
    }
    const limit = query.limit ?? limitDefault
    const rows = await itemsAfter(ctx, after, limit + 1)
    const page = rows.slice(0, limit)
    const format = query.format ?? 'json_lines'
    return reply(200, {
      object: 'catalog_export' as const,
      format,
      content: headOf(format) + page.map((row) => written(row, format)).join(''),
      items: page.length,
      next_after: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    })
  },
})

async function* wholeFile(ctx: CallContext, format: ImportFormat, from: string): AsyncGenerator<string> {
  yield headOf(format)
  let after = from
  for (;;) {
    const rows = await itemsAfter(ctx, after, streamedAtOnce)
    if (rows.length > 0) yield rows.map((row) => written(row, format)).join('')
    const last = rows.at(-1)
    if (!last || rows.length < streamedAtOnce) return
    after = last.id
  }
}

function itemsAfter({ tenant, reads }: CallContext, after: string, limit: number): Promise<Item[]> {
  return readItemsAfter(reads, tenant, { after, limit })
}

function headOf(format: ImportFormat): string {
  return format === 'csv' ? csvHeader : ''
}

function written(row: Item, format: ImportFormat): string {
  return format === 'csv' ? csvLines(row) : `${JSON.stringify(exportedItem(row))}\n`
}
