import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { CardKeepers, keeperBudgetMs } from '../card-setups/public.ts'
import { signOutOf, WalletKeepers, walletBudgetMs } from '../wallets/public.ts'
import { isWallet } from './check-verification.ts'
import { PaymentMethod } from './payment-method.ts'
import { selectPaymentMethod } from './payment-methods.sql.ts'
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
    "Destroys the card's data, and signs out of a wallet. A purchase in progress that is not authorized yet fails with `payment_method_required`. No " +
    'other payment method becomes the default.',
  destructive: true,
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    payment_method_id: IdParam('The payment method.', 'pm'),
  }),
  responses: { 200: PaymentMethod },
  problems: ['not_found'],
  outside: {
    ports: [CardVault, CardKeepers, WalletKeepers],
    budgetMs: Math.max(vaultBudgetMs, keeperBudgetMs, walletBudgetMs),
  },
  async handle(ctx, { path }) {
    await forgetAtRail(ctx, path)
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

/** Before it is deleted here: what a rail did not forget, its owner deletes once more. */
async function forgetAtRail(
  ctx: CallContext,
  { profile_id, payment_method_id: id }: { profile_id: string; payment_method_id: string },
): Promise<void> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.reads.maybe(selectPaymentMethod({ account_id, mode, profile_id, id }))
  if (row?.kept_method == null || row.kept_customer === null) return
  if (isWallet(row)) return await signOutOf(ctx, { profileId: profile_id, name: row.kept_customer })
  const keeper = ctx.port(CardKeepers)
  if (keeper.publishableKeys[mode] === undefined) return
  // guard kept-cards-are-forgotten: the rail keeps no card that was deleted here
  const said = await keeper.forget(row.kept_method, { mode, timeoutMs: vaultBudgetMs })
  if (said.kind === 'away') throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
}
