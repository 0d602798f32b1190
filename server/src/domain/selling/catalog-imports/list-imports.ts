import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, readList, totalCap } from '../../../contract/page.ts'
import { Closed, Filter, ListOf, Page } from '../../../contract/schemas.ts'
import { CatalogImport, CatalogImportStatus, renderImport } from './import.ts'
import { countImports, selectImports } from './imports.sql.ts'

const limitDefault = 50

export const listMerchantCatalogImports = defineOperation({
  id: 'v1_list_merchant_catalog_imports',
  method: 'GET',
  path: '/v1/merchant/catalog_imports',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant catalog',
  summary: 'List catalog imports, newest first',
  description: 'Shows how far each import is; narrow the list with `status`.',
  query: Closed({
    status: Filter(CatalogImportStatus, 'Only imports in this status.'),
    ...Page(limitDefault, 200),
  }),
  responses: { 200: ListOf(CatalogImport, 'CatalogImportList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, limitDefault)
    const filter = {
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      status: query.status ?? null,
    }
    const list = await readList(ctx.reads, {
      page,
      rows: selectImports({ ...filter, ...page }),
      count: countImports({ ...filter, cap: totalCap }),
      render: renderImport,
    })
    return reply(200, list)
  },
})
