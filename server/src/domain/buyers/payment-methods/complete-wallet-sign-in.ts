import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import { readSignedIn, WalletKeepers, walletBudgetMs } from '../wallets/public.ts'
import { addedBy } from './create-profile-payment-method.ts'
import { PaymentMethod, type PaymentMethodRow, renderPaymentMethod } from './payment-method.ts'
import { addMethod, clearDefault, lockMethodsOf, methodsMax } from './write-payment-method.ts'

export const completeWalletSignIn = defineOperation({
  id: 'v1_complete_wallet_sign_in',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/wallet_sign_ins/{wallet_sign_in_id}/complete',
  auth: 'secret',
  scope: 'payment_methods:write',
  surfaces: ['v1', 'elements'],
  forBound: 'served',
  tag: 'Payment methods',
  summary: 'Add a Link wallet to a profile',
  description:
    'Once its person has signed in, the wallet is a payment method of type `link`: it pays at shops that have only pages, and Link asks its ' +
    'person about each purchase. Until then it answers `wallet_not_signed_in`: ask again after five seconds. The same sign-in adds it once.',
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    wallet_sign_in_id: IdParam('The sign-in.', 'wlt'),
  }),
  responses: { 201: PaymentMethod },
  problems: [
    'not_found',
    'profile_archived',
    'object_limit_reached',
    'wallet_not_signed_in',
    'wallet_sign_in_over',
    'wallet_is_empty',
  ],
  outside: { ports: [WalletKeepers], budgetMs: walletBudgetMs },
  async handle(ctx, { path }) {
    const read = await readSignedIn(ctx, { profileId: path.profile_id, id: path.wallet_sign_in_id })
    // What the rail gives out once is kept, also where nothing can be added yet.
    if (read instanceof Problem) return read
    const { wallet } = read
    const { owner, methods } = await lockMethodsOf(ctx, path.profile_id)
    const known = methods.find(({ kept_customer }) => kept_customer === wallet.customer)
    if (known) return reply(201, renderPaymentMethod(known, ctx.tenant))
    if (owner.status === 'archived') return new Problem('profile_archived')
    if (methods.length >= methodsMax) return new Problem('object_limit_reached')
    const isDefault = ctx.actor.type !== 'cardholder' && methods.length === 0
    if (isDefault) clearDefault(ctx, methods, null)
    const row: PaymentMethodRow = {
      id: ctx.newId('pm'),
      profile_id: path.profile_id as PaymentMethodRow['profile_id'], // the row locked above has this id
      type: 'link',
      is_default: isDefault,
      label: null,
      billing_address_id: null,
      card_kind: null,
      card_brand: null,
      card_last4: null,
      card_exp_month: null,
      card_exp_year: null,
      vault_token: newToken(`pr_vt_${ctx.tenant.mode}_`, ctx.random),
      test_card: null,
      enrollment_requested: false,
      agentic_status: 'not_requested',
      pending_steps: [],
      failed_verifications: 0,
      added_in: ctx.component?.hash ?? null,
      proven_there: false,
      seq: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
      deleted_at: null,
      added_by: addedBy(ctx),
      kept_by: wallet.rail,
      kept_customer: wallet.customer,
      kept_method: wallet.method,
    }
    return reply(201, addMethod(ctx, row, 'payment_method.created'))
  },
})
