import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, readList, totalCap } from '../../../contract/page.ts'
import { Closed, Filter, IdParam, ListOf, Page } from '../../../contract/schemas.ts'
import { CheckKindSchema, CheckStatusSchema, IntegrationCheck, renderCheck } from './integration-check.ts'
import { countChecks, selectChecks } from './integration-checks.sql.ts'

const limitDefault = 50

export const listIntegrationChecks = defineOperation({
  id: 'v1_list_integration_checks',
  method: 'GET',
  path: '/v1/merchant/integration_checks',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant checks',
  summary: 'List integration checks, newest first',
  description:
    'Shows which destinations were checked and how it ended; narrow the list with `kind`, `status` or `destination_id`.',
  query: Closed({
    kind: Filter(CheckKindSchema, 'Only checks of this kind.'),
    status: Filter(CheckStatusSchema, 'Only checks in this status.'),
    destination_id: Type.Optional(IdParam('Only checks of this destination.', 'dest')),
    ...Page(limitDefault, 200),
  }),
  responses: { 200: ListOf(IntegrationCheck, 'IntegrationCheckList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, limitDefault)
    const filter = {
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      kind: query.kind ?? null,
      status: query.status ?? null,
      destination_id: query.destination_id ?? null,
    }
    const list = await readList(ctx.reads, {
      page,
      rows: selectChecks({ ...filter, ...page }),
      count: countChecks({ ...filter, cap: totalCap }),
      render: (row) => renderCheck(row, row.settings_now),
    })
    return reply(200, list)
  },
})
