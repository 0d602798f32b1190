import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam, Named, Text } from '../../../contract/schemas.ts'
import { findProfileId } from '../profiles/public.ts'
import { deleteShopAnswers as deleteAnswers } from './shop-answers.sql.ts'

export const deleteShopAnswers = defineOperation({
  id: 'v1_delete_shop_answers',
  method: 'DELETE',
  path: '/v1/profiles/{profile_id}/shop_answers',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Profiles',
  summary: 'Delete answers that a profile keeps for shops',
  description:
    'Deletes all of them, or those of one host, or of one name. Shops ask again for what is deleted. Carts that were told already keep what they were told.',
  destructive: true,
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  query: Closed({
    host: Type.Optional(Text(253, { description: 'Only answers for this host.' })),
    name: Type.Optional(Text(80, { description: 'Only answers to fields of this name.' })),
  }),
  responses: {
    200: Named(
      'DeletedShopAnswers',
      Closed(
        { deleted: Type.Integer({ minimum: 0, description: 'How many were deleted.' }) },
        { description: 'What was deleted of what a profile keeps for shops.' },
      ),
    ),
  },
  problems: ['not_found'],
  async handle(ctx, { path: { profile_id }, query: { host = null, name = null } }) {
    if ((await findProfileId(ctx, profile_id)) === null)
      throw new Problem('not_found', { param: 'profile_id' })
    const { accountId: account_id, mode } = ctx.tenant
    const gone = await ctx.tx.rows(deleteAnswers({ account_id, mode, profile_id, host, name }))
    return reply(200, { deleted: gone.length })
  },
})
