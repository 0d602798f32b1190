import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, renderList } from '../../../contract/page.ts'
import { Problem } from '../../../contract/problem.ts'
import { getOperation, listOperation } from '../../../contract/read-operations.ts'
import { Closed, Filter, IdParam, ListOf, Page } from '../../../contract/schemas.ts'
import {
  CatalogImport,
  CatalogImportError,
  CatalogImportStatus,
  errorsKeptMax,
  renderImport,
} from './import.ts'
import { countImports, selectErrors, selectImport, selectImports } from './imports.sql.ts'

const errorLimitDefault = 50

export const getMerchantCatalogImport = getOperation({
  id: 'v1_get_merchant_catalog_import',
  path: '/v1/merchant/catalog_imports/{import_id}',
  scope: 'merchant:read',
  tag: 'Merchant catalog',
  summary: 'Read a catalog import',
  description: 'Shows how far it is, what it created and updated, and its first errors.',
  params: { import_id: IdParam('The import.', 'imp') },
  shows: CatalogImport,
  row: selectImport,
  render: renderImport,
})

export const listMerchantCatalogImports = listOperation({
  id: 'v1_list_merchant_catalog_imports',
  path: '/v1/merchant/catalog_imports',
  scope: 'merchant:read',
  tag: 'Merchant catalog',
  summary: 'List catalog imports, newest first',
  description: 'Shows how far each import is; narrow the list with `status`.',
  filters: {
    status: Filter(CatalogImportStatus, 'Only imports in this status.'),
  },
  lists: [CatalogImport, 'CatalogImportList'],
  rows: selectImports,
  count: countImports,
  render: renderImport,
})

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
  query: Closed(Page(errorLimitDefault, 200)),
  responses: { 200: ListOf(CatalogImportError, 'CatalogImportErrorList') },
  problems: ['not_found'],
  async handle(ctx, { path, query }) {
    const page = pageOf(query, errorLimitDefault)
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
