import { defineOperation, reply } from '../../../contract/operation.ts'
import { objectsPerAccountMax, pageOf, renderList } from '../../../contract/page.ts'
import { Problem } from '../../../contract/problem.ts'
import { getOperation } from '../../../contract/read-operations.ts'
import { Closed, IdParam, ListOf, Page } from '../../../contract/schemas.ts'
import { readProfile } from '../profiles/public.ts'
import { PaymentMethod, renderPaymentMethod } from './payment-method.ts'
import { selectPaymentMethod, selectPaymentMethods } from './payment-methods.sql.ts'

export const getProfilePaymentMethod = getOperation({
  id: 'v1_get_profile_payment_method',
  path: '/v1/profiles/{profile_id}/payment_methods/{payment_method_id}',
  scope: 'payment_methods:read',
  forBound: 'served',
  tag: 'Payment methods',
  summary: 'Read a payment method',
  description:
    "Shows the card's brand, last four digits and expiry, and whether it is enrolled for purchases by agents.",
  params: {
    profile_id: IdParam('The profile.', 'prof'),
    payment_method_id: IdParam('The payment method.', 'pm'),
  },
  shows: PaymentMethod,
  row: (key, { profile_id }) => selectPaymentMethod({ ...key, profile_id }),
  render: (row, ctx) => renderPaymentMethod(row, ctx.tenant),
})

export const listProfilePaymentMethods = defineOperation({
  id: 'v1_list_profile_payment_methods',
  method: 'GET',
  path: '/v1/profiles/{profile_id}/payment_methods',
  auth: 'secret',
  surfaces: ['v1', 'mcp', 'elements'],
  scope: 'payment_methods:read',
  forBound: 'served',
  tag: 'Payment methods',
  summary: 'List the payment methods of a profile, newest first',
  description:
    'Use it to choose what a purchase is charged to. The `id` of one is the `profile_payment_method_id` of other calls.',
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  query: Closed(Page(objectsPerAccountMax, objectsPerAccountMax)),
  responses: { 200: ListOf(PaymentMethod, 'PaymentMethodList') },
  problems: ['not_found'],
  async handle(ctx, { path, query }) {
    const tenant = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
    const [profile, rows] = await Promise.all([
      readProfile(ctx.reads, ctx.tenant, path.profile_id),
      ctx.reads.rows(selectPaymentMethods({ ...tenant, profile_id: path.profile_id })),
    ])
    if (!profile) throw new Problem('not_found', { param: 'profile_id' })
    const page = pageOf(query, objectsPerAccountMax)
    const shown = rows.slice(page.offset, page.offset + page.limit + 1)
    return reply(
      200,
      renderList(shown, rows.length, page, (row) => renderPaymentMethod(row, ctx.tenant)),
    )
  },
})
