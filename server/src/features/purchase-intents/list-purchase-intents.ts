import Type from 'typebox'
import { defineOperation, reply } from '../../contract/operation.ts'
import { containsPattern, pageOf, renderList, totalCap } from '../../contract/page.ts'
import { Closed, Filter, IdParam, ListOf, Page, Search } from '../../contract/schemas.ts'
import { AuditRow, renderAuditRow } from './audit-row.ts'
import { countAuditRows, selectAuditRows } from './audit-rows.sql.ts'
import { PurchaseIntentStatus } from './intent.ts'

const limitDefault = 50

export const listPurchaseIntents = defineOperation({
  id: 'v1_list_purchase_intents',
  method: 'GET',
  path: '/v1/purchase_intents',
  auth: 'secret',
  scope: 'purchase_intents:read',
  tag: 'Purchase intents',
  summary: 'List purchases as an audit trail, newest first',
  query: Closed({
    status: Filter(PurchaseIntentStatus, 'Purchases in this state.'),
    profile_id: Type.Optional(IdParam('Purchases for this profile.')),
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
      q: containsPattern(query.q),
    }
    const [rows, counted] = await Promise.all([
      ctx.reads.rows(selectAuditRows({ ...filter, ...page })),
      ctx.reads.maybe(countAuditRows({ ...filter, cap: totalCap })),
    ])
    return reply(200, renderList(rows, counted?.counted ?? 0, page, renderAuditRow))
  },
})
