import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { PaymentMethod } from './payment-method.ts'
import { CardVault, vaultBudgetMs } from './port.ts'
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
  outside: { ports: [CardVault], budgetMs: vaultBudgetMs },
  async handle(ctx, { path }) {
    const { methods } = await lockMethodsOf(ctx, path.profile_id)
    const row = findMethod(methods, path.payment_method_id)
    const changes = { is_default: false, deleted_at: ctx.now }
    const deleted = reply(200, writeMethod(ctx, row, changes, 'payment_method.deleted').object)
    return {
      ...deleted,
      // At once, and where the vault does not answer, within a minute after it does: it looks for cards that nobody has.
      async settle() {
        // guard deleted-cards-are-shredded: the vault forgets a deleted card
        await ctx.port(CardVault).shred(ctx.tenant, row.vault_token)
        return deleted
      },
    }
  },
})
