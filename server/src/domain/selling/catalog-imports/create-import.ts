import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { subjectOf, takeRateNow } from '../../../platform/limits/rates.ts'
import { CatalogImport, CatalogImportFormat, contentTypes, renderImport } from './import.ts'
import { insertImport, sweepUploads } from './imports.sql.ts'
import { storeContent } from './store-content.ts'

/** An upload that has not become an import by then never will: a request must be sent within half a minute. */
const uploadMinutesMax = 60

/** The kind of work that reads stored files. */
export const importWorkKind = 'catalog_imports'

export const createMerchantCatalogImport = defineOperation({
  id: 'v1_create_merchant_catalog_import',
  method: 'POST',
  path: '/v1/merchant/catalog_items/import',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant catalog',
  summary: 'Import catalog items from a file',
  description:
    'Takes JSON Lines with one item on each line, or CSV with one variant on each line. The file is stored and worked ' +
    'through afterwards: follow it with v1_get_merchant_catalog_import until `status` is completed. A row names its item ' +
    'by `id` or `handle` and changes only what differs. A faulty row is reported with its line number and does not stop ' +
    'the others. Imports of one catalog run one after the other.',
  content: contentTypes,
  query: Closed({
    format: Type.Optional({
      ...CatalogImportFormat,
      default: 'json_lines',
      description: "The format of the file. It goes before the file's media type.",
    }),
    publish: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to publish every item that has what publishing needs.',
      }),
    ),
  }),
  body: Type.String({ description: 'The file as text.' }),
  examples: {
    json_lines: {
      summary: 'Import two items as JSON Lines',
      content: 'application/x-ndjson',
      body: '{"handle":"mug","title":"Blue mug","variants":[{"price":1999,"currency":"USD"}]}\n{"handle":"plate","title":"Blue plate","variants":[{"price":2499,"currency":"USD"}]}\n',
    },
  },
  responses: { 201: CatalogImport },
  async handle(ctx, { query, content }) {
    await takeRateNow(ctx, { limit: 'importsPerHour', subject: subjectOf(ctx.tenant) })
    const id = ctx.newId('imp')
    const bytes = await storeContent(ctx, id, content.chunks)
    const row = {
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      id,
      status: 'queued' as const,
      format: query.format ?? 'json_lines',
      publish: query.publish ?? false,
      bytes: BigInt(bytes),
      read_bytes: 0n,
      read_lines: 0,
      columns: null,
      rows: 0,
      created: 0,
      updated: 0,
      unchanged: 0,
      failed: 0,
      errors_kept: 0,
      failure: null,
      seq: 1,
      due_at: ctx.now,
      created_at: ctx.now,
      updated_at: ctx.now,
      started_at: null,
      completed_at: null,
    }
    const brokenOffBefore = new Date(ctx.now.getTime() - uploadMinutesMax * 60_000)
    ctx.tx.write(sweepUploads({ before: brokenOffBefore, limit: 10 }))
    const object = renderImport({ ...row, lease_token: 0n, errors: [] })
    ctx.tx.write(insertImport(row))
    ctx.tx.emit({ type: 'catalog_import.created', aggregateId: id, sequence: 1, object })
    ctx.tx.wake(importWorkKind)
    return reply(201, object)
  },
})
