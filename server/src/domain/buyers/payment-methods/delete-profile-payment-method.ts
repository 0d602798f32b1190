import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { PaymentMethod } from './payment-method.ts'
import { shredStoredCard } from './payment-methods.sql.ts'
import { findMethod, lockMethodsOf, writeMethod } from './write-payment-method.ts'

export const deleteProfilePaymentMethod = defineOperation({
  id: 'v1_delete_profile_payment_method',
  method: 'DELETE',
  path: '/v1/profiles/{profile_id}/payment_methods/{payment_method_id}',
  auth: 'secret',
  scope: 'payment_methods:write',
  tag: 'Payment methods',
  summary: 'Delete a payment method',
  description:
    "Destroys the card's data. A purchase in progress that is not authorized yet fails with `payment_method_required`. No " +
    'other payment method becomes the default.',
  destructive: true,
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    payment_method_id: IdParam('The payment method.', 'pm'),
  }),
  responses: { 200: PaymentMethod },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { methods } = await lockMethodsOf(ctx, path.profile_id)
    const row = findMethod(methods, path.payment_method_id)
    const { accountId, mode } = ctx.tenant
    const isShared = methods.some((method) => method.id !== row.id && method.vault_token === row.vault_token)
    // guard deleted-cards-are-shredded: the vault forgets a deleted card
    // guard shared-cards-stay: deleting one of two methods on a card does not take the other one its card
    if (!isShared) ctx.tx.write(shredStoredCard({ account_id: accountId, mode, token: row.vault_token }))
    const changes = { is_default: false, deleted_at: ctx.now }
    return reply(200, writeMethod(ctx, row, changes, 'payment_method.deleted').object)
  },
})
