import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { PaymentMethod, renderPaymentMethod } from './payment-method.ts'
import { selectPaymentMethod } from './payment-methods.sql.ts'

export const getProfilePaymentMethod = defineOperation({
  id: 'v1_get_profile_payment_method',
  method: 'GET',
  path: '/v1/profiles/{profile_id}/payment_methods/{payment_method_id}',
  auth: 'secret',
  scope: 'payment_methods:read',
  forBound: 'served',
  tag: 'Payment methods',
  summary: 'Read a payment method',
  description:
    "Shows the card's brand, last four digits and expiry, and whether it is enrolled for purchases by agents.",
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    payment_method_id: IdParam('The payment method.', 'pm'),
  }),
  responses: { 200: PaymentMethod },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const key = { account_id: accountId, mode, profile_id: path.profile_id, id: path.payment_method_id }
    const row = await ctx.reads.maybe(selectPaymentMethod(key))
    if (!row) throw new Problem('not_found', { param: 'payment_method_id' })
    return reply(200, renderPaymentMethod(row, ctx.tenant))
  },
})
