import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, readList, totalCap } from '../../../contract/page.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam, ListOf, Page } from '../../../contract/schemas.ts'
import { countEvidence, selectEvidence, selectOwner } from './evidence.sql.ts'
import { PurchaseIntentEvidence, readableSince, renderEvidence } from './evidence.ts'

const limitDefault = 50

export const listPurchaseIntentEvidence = defineOperation({
  id: 'v1_list_purchase_intent_evidence',
  method: 'GET',
  path: '/v1/purchase_intents/{purchase_intent_id}/evidence',
  auth: 'secret',
  scope: 'evidence:read',
  forBound: 'refused',
  tag: 'Purchase intents',
  summary: 'List the pictures of the pages that a purchase was made on, oldest first',
  description:
    'A cart whose channel is `browser` is bought on the pages of its shop. A picture of each important page is kept for 30 days, ' +
    'without what was typed and without card numbers. The list does not contain the pictures themselves, and none that is deleted.',
  params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
  query: Closed(Page(limitDefault, 200)),
  responses: { 200: ListOf(PurchaseIntentEvidence, 'PurchaseIntentEvidenceList') },
  problems: ['not_found'],
  async handle(ctx, { path, query }) {
    const { accountId: account_id, mode } = ctx.tenant
    const of = { account_id, mode, intent_id: path.purchase_intent_id }
    const page = pageOf(query, limitDefault)
    const since = readableSince(ctx.now)
    const [owner, list] = await Promise.all([
      ctx.reads.maybe(selectOwner(of)),
      readList(ctx.reads, {
        page,
        rows: selectEvidence({ ...of, ...page, since }),
        count: countEvidence({ ...of, since, cap: totalCap }),
        render: renderEvidence,
      }),
    ])
    if (!owner) throw new Problem('not_found', { param: 'purchase_intent_id' })
    return reply(200, owner.is_archived ? { ...list, data: [], total: 0, has_more: false } : list)
  },
})
