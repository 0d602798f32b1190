import Type from 'typebox'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { pageOf, readList, totalCap } from '../../../../contract/page.ts'
import { Closed, Filter, IdParam, ListOf, Page, Search } from '../../../../contract/schemas.ts'
import { AuditRow, renderAuditRow } from '../decide/audit-row.ts'
import { countAuditRows, selectAuditRows } from '../decide/audit-rows.sql.ts'
import { PurchaseIntentStatus } from '../intent.ts'
import { countFoundAuditRows, searchAuditRows } from './search-intents.sql.ts'
import { searchTerms } from './search-intents.ts'

const limitDefault = 50

export const listPurchaseIntents = defineOperation({
  id: 'v1_list_purchase_intents',
  method: 'GET',
  path: '/v1/purchase_intents',
  auth: 'secret',
  scope: 'purchase_intents:read',
  forBound: 'served',
  tag: 'Purchase intents',
  summary: 'List purchase intents, newest first',
  description:
    'One audit row for each purchase: for whom, from which shops, what was charged and how it ended. `q` finds text ' +
    'anywhere in the ids, references and names of the 10,000 newest purchases. In older ones it finds ids, references and ' +
    'merchants that begin with it, and people whose name contains it.',
  query: Closed({
    status: Filter(PurchaseIntentStatus, 'Only purchases in this status.'),
    profile_id: Type.Optional(IdParam('Only purchases for this profile.', 'prof')),
    q: Type.Optional(Search),
    ...Page(limitDefault, 200),
  }),
  responses: { 200: ListOf(AuditRow, 'PublicAuditTrailListResponse') },
  async handle(ctx, { query }) {
    const page = pageOf(query, limitDefault)
    const filter = {
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      status: query.status ?? null,
      profile_id: query.profile_id ?? null,
    }
    const terms = query.q === undefined ? null : { ...filter, ...searchTerms(query.q) }
    const list = await readList(ctx.reads, {
      page,
      rows: terms
        ? searchAuditRows({ ...terms, ...page, reach: page.offset + page.limit + 1 })
        : selectAuditRows({ ...filter, ...page }),
      count: terms
        ? countFoundAuditRows({ ...terms, reach: totalCap + 1 })
        : countAuditRows({ ...filter, cap: totalCap }),
      render: (row) => renderAuditRow(row, ctx.tenant.mode),
    })
    return reply(200, list)
  },
})
