import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { At, Closed, IdParam, objectHead } from '../../../contract/schemas.ts'
import { subjectOf, takeRateNow } from '../../../platform/limits/rates.ts'
import { readProfile } from '../profiles/public.ts'
import { WalletKeepers, walletBudgetMs } from './port.ts'
import { sealDevice } from './seal-tokens.ts'
import { insertWallet } from './wallets.sql.ts'

const callMs = 4_000

export const createWalletSignIn = defineOperation({
  id: 'v1_create_wallet_sign_in',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/wallet_sign_ins',
  auth: 'secret',
  scope: 'payment_methods:write',
  surfaces: ['v1', 'elements'],
  forBound: 'served',
  tag: 'Payment methods',
  summary: 'Start the sign-in of a profile to a Link wallet',
  description:
    'Show its person `url` and `user_code`: there they let this installation ask their wallet for purchases. Once they have, ' +
    'v1_complete_wallet_sign_in adds the wallet as a payment method. The person approves each purchase at Link.',
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  responses: {
    201: Closed({
      ...objectHead('wlt', 'wallet_sign_in'),
      url: Type.String({ description: 'The page of Link on which the person signs in.' }),
      user_code: Type.String({ description: 'What the person compares with, or types on that page.' }),
      expires_at: At('Until when the person can sign in.'),
    }),
  },
  problems: ['not_found', 'profile_archived', 'wallets_not_offered', 'client_secret_required'],
  outside: { ports: [WalletKeepers], budgetMs: walletBudgetMs },
  async handle(ctx, { path }) {
    const keeper = ctx.port(WalletKeepers)
    const { accountId: account_id, mode } = ctx.tenant
    // guard wallets-by-the-account: who has only copied the key of a page signs nobody's wallet in to a profile
    if (ctx.component !== null && !ctx.component.isVouched) throw new Problem('client_secret_required')
    const profile = await readProfile(ctx.reads, ctx.tenant, path.profile_id)
    if (profile === null) throw new Problem('not_found', { param: 'profile_id' })
    if (!keeper.modes.includes(mode)) throw new Problem('wallets_not_offered')
    if (profile.status !== 'active') throw new Problem('profile_archived')
    await takeRateNow(ctx, { limit: 'profileSetups', subject: subjectOf(ctx.tenant, path.profile_id) })
    const begun = await keeper.begin({ mode, timeoutMs: callMs })
    if (begun.kind === 'away') throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
    const id = ctx.newId('wlt')
    const sign_in_until = new Date(ctx.now.getTime() + begun.seconds * 1000)
    ctx.tx.write(
      insertWallet({
        account_id,
        mode,
        id,
        profile_id: path.profile_id,
        rail: keeper.rail,
        sealed: sealDevice(ctx.sealer, begun.device, id),
        sign_in_until,
        now: ctx.now,
      }),
    )
    return reply(201, {
      id,
      object: 'wallet_sign_in' as const,
      mode,
      created_at: ctx.now.toISOString(),
      updated_at: ctx.now.toISOString(),
      url: begun.url,
      user_code: begun.code,
      expires_at: sign_in_until.toISOString(),
    })
  },
})
