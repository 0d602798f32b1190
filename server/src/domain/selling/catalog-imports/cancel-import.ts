import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { CatalogImport, renderImport } from './import.ts'
import { lockImport } from './imports.sql.ts'
import { moved } from './machine.ts'
import { endImport } from './write-import.ts'

export const cancelMerchantCatalogImport = defineOperation({
  id: 'v1_cancel_merchant_catalog_import',
  method: 'POST',
  path: '/v1/merchant/catalog_imports/{import_id}/cancel',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant catalog',
  summary: 'Cancel a catalog import',
  description:
    'What it has imported so far stays; the rest of the file is skipped. An import that has ended stays as it is.',
  destructive: true,
  params: Closed({ import_id: IdParam('The import.', 'imp') }),
  responses: { 200: CatalogImport },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.tx.maybe(lockImport({ account_id: accountId, mode, id: path.import_id }))
    if (!row) throw new Problem('not_found', { param: 'import_id' })
    if (moved(row.status, 'cancel') === null) return reply(200, renderImport(row))
    return reply(200, endImport(ctx, row, 'cancel'))
  },
})
