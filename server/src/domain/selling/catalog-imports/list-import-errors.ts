import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, renderList } from '../../../contract/page.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam, ListOf, Page } from '../../../contract/schemas.ts'
import { CatalogImportError, errorsKeptMax } from './import.ts'
import { selectErrors, selectImport } from './imports.sql.ts'

const limitDefault = 50

export const listMerchantCatalogImportErrors = defineOperation({
  id: 'v1_list_merchant_catalog_import_errors',
  method: 'GET',
  path: '/v1/merchant/catalog_imports/{import_id}/errors',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant catalog',
  summary: 'List the errors of a catalog import',
  description:
    `In the order of the file; the first ${errorsKeptMax.toLocaleString('en-US')} are kept. ` +
    'Each says where and why, and never repeats what was written there.',
  params: Closed({ import_id: IdParam('The import.', 'imp') }),
  query: Closed(Page(limitDefault, 200)),
  responses: { 200: ListOf(CatalogImportError, 'CatalogImportErrorList') },
  problems: ['not_found'],
  async handle(ctx, { path, query }) {
    const page = pageOf(query, limitDefault)
    const tenant = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
    const [found, rows] = await Promise.all([
      ctx.reads.maybe(selectImport({ ...tenant, id: path.import_id })),
      ctx.reads.rows(selectErrors({ ...tenant, import_id: path.import_id, ...page })),
    ])
    if (!found) throw new Problem('not_found', { param: 'import_id' })
    return reply(
      200,
      renderList(rows, found.errors_kept, page, (row) => row),
    )
  },
})
