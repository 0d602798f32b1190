import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, renderList } from '../../../contract/page.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam, ListOf, Page } from '../../../contract/schemas.ts'
import { readProfile } from '../profiles/public.ts'
import { answersMax } from './keep-answers.ts'
import { openAnswer } from './seal-answer.ts'
import { ShopAnswer } from './shop-answer.ts'
import { selectShopAnswers } from './shop-answers.sql.ts'

export const listShopAnswers = defineOperation({
  id: 'v1_list_shop_answers',
  method: 'GET',
  path: '/v1/profiles/{profile_id}/shop_answers',
  auth: 'secret',
  // Only who may change what a profile says is shown what it has told shops.
  scope: 'profiles:write',
  tag: 'Profiles',
  summary: 'List the answers that a profile keeps for shops',
  description:
    'An answer is kept where `keep` was sent with it. The same host gets it again when it asks the same; a purchase names those of its shops in `shop_answers`.',
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  query: Closed(Page(answersMax, answersMax)),
  responses: { 200: ListOf(ShopAnswer, 'ShopAnswerList') },
  problems: ['not_found'],
  async handle(ctx, { path: { profile_id }, query }) {
    const tenant = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
    const [profile, rows] = await Promise.all([
      readProfile(ctx.reads, ctx.tenant, profile_id),
      ctx.reads.rows(selectShopAnswers({ ...tenant, profile_id })),
    ])
    if (!profile) throw new Problem('not_found', { param: 'profile_id' })
    const page = pageOf(query, answersMax)
    return reply(
      200,
      renderList(
        rows.slice(page.offset, page.offset + page.limit + 1),
        rows.length,
        page,
        (row): ShopAnswer => ({
          object: 'shop_answer',
          host: row.host,
          name: row.name,
          label: row.label,
          value: openAnswer(ctx.sealer, { ...row, owner: profile_id }),
          kept_at: row.kept_at.toISOString(),
        }),
      ),
    )
  },
})
