import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { CatalogImport, renderImport } from './import.ts'
import { selectImport } from './imports.sql.ts'

export const getMerchantCatalogImport = defineOperation({
  id: 'v1_get_merchant_catalog_import',
  method: 'GET',
  path: '/v1/merchant/catalog_imports/{import_id}',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant catalog',
  summary: 'Read a catalog import',
  description: 'Shows how far it is, what it created and updated, and its first errors.',
  params: Closed({ import_id: IdParam('The import.', 'imp') }),
  responses: { 200: CatalogImport },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectImport({ account_id: accountId, mode, id: path.import_id }))
    if (!row) throw new Problem('not_found', { param: 'import_id' })
    return reply(200, renderImport(row))
  },
})
