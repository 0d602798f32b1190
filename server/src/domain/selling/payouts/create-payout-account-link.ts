import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { At, Closed, Named } from '../../../contract/schemas.ts'
import { subjectOf, takeRateNow } from '../../../platform/limits/rates.ts'
import { Ruled } from '../../../schema/rules.ts'
import { checkReturnUrl, returnRules } from '../../accounts/api-keys/public.ts'
import { linkBudgetMs, noteLink, openLink } from './open-link.ts'
import { PayoutAccounts } from './port.ts'

const PayoutAccountLink = Named(
  'PayoutAccountLink',
  Closed(
    {
      object: Type.Literal('payout_account_link', { description: 'The type of this object.' }),
      url: Type.String({
        description:
          'The page of the payment processor. It opens once. Empty where an earlier request is repeated.',
      }),
      expires_at: At('Until when it opens.'),
    },
    { description: 'A link to the page on which the people of a merchant have themselves paid.' },
  ),
)

function page(description: string) {
  return Ruled(Type.String({ minLength: 1, maxLength: 2000, description }), returnRules)
}

export const createPayoutAccountLink = defineOperation({
  id: 'v1_create_payout_account_link',
  method: 'POST',
  path: '/v1/merchant/payout_account_links',
  auth: 'secret',
  // Whoever follows the link says who is paid.
  scope: 'merchant:identity',
  surfaces: ['v1'],
  tag: 'Merchant',
  summary: 'Create a link by which a merchant is paid in live mode',
  description:
    'Send a person of the merchant to its `url`: the payment processor asks them who they are, and where their money goes. The account is ' +
    'opened with the first link. `payout_account` of the merchant record shows when it may be charged: that is read at the processor, each ' +
    'minute after a link and then now and then.',
  body: Closed({
    return_url: page(
      'Where the person goes afterwards, finished or not: on an origin of a publishable key for components.',
    ),
    refresh_url: page('Where they go if the link has ended, for another one: on such an origin too.'),
  }),
  examples: {
    link: {
      summary: 'Have the merchant paid',
      body: { return_url: 'https://shop.example/paid', refresh_url: 'https://shop.example/again' },
    },
  },
  responses: { 201: PayoutAccountLink },
  problems: ['payout_accounts_not_offered', 'payout_account_unknown'],
  outside: { ports: [PayoutAccounts], budgetMs: linkBudgetMs },
  async handle(ctx, { body }) {
    const accounts = ctx.port(PayoutAccounts)
    if (!accounts.modes.includes(ctx.tenant.mode)) throw new Problem('payout_accounts_not_offered')
    const returnUrl = await checkReturnUrl(ctx, 'return_url', body.return_url)
    const refreshUrl = await checkReturnUrl(ctx, 'refresh_url', body.refresh_url)
    await takeRateNow(ctx, { limit: 'onboardingLinks', subject: subjectOf(ctx.tenant) })
    const link = await openLink(ctx, accounts, { returnUrl, refreshUrl })
    if (link.kind === 'away') throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
    if (link.kind === 'unknown_account') throw new Problem('payout_account_unknown')
    ctx.tx.write(noteLink(ctx, link.account))
    const said = {
      object: 'payout_account_link' as const,
      url: '',
      expires_at: link.expiresAt.toISOString(),
    }
    return reply(201, said, { reveal: { url: link.url } })
  },
})
