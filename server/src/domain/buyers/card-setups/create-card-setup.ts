import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { At, Closed, IdOf, IdParam } from '../../../contract/schemas.ts'
import { subjectOf, takeRateNow } from '../../../platform/limits/rates.ts'
import { readProfile } from '../profiles/public.ts'
import { insertCardSetup, insertRailCustomer, selectRailCustomer } from './card-setups.sql.ts'
import { CardKeepers, keeperBudgetMs } from './port.ts'

/** How long a person may take, with their bank. */
const setupHours = 24
const callMs = 3_500

export const createCardSetup = defineOperation({
  id: 'elements_create_card_setup',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/card_setups',
  auth: 'secret',
  scope: 'payment_methods:write',
  // The secret of a setup is for the page that collects the card, and for nobody else.
  surfaces: ['elements'],
  forBound: 'served',
  tag: 'Payment methods',
  summary: 'Begin to enter a card at the payment processor',
  description:
    'The frame asks for it where cards are collected by the payment processor. Its `id` is the token of the card once the person has ' +
    'entered it.',
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  responses: {
    201: Closed({
      id: IdOf('cset', 'For `card.vault_token_id` of the payment method.'),
      client_secret: Type.String({ description: 'For the page of the processor that collects the card.' }),
      publishable_key: Type.String({ description: 'The account at the processor, for the same page.' }),
      expires_at: At('Until when the card can become a payment method.'),
    }),
  },
  problems: ['not_found', 'profile_archived', 'cards_not_collected'],
  outside: { ports: [CardKeepers], budgetMs: keeperBudgetMs },
  async handle(ctx, { path }) {
    if (ctx.component === null) throw new Problem('not_found')
    const keeper = ctx.port(CardKeepers)
    const { accountId: account_id, mode } = ctx.tenant
    const publishable_key = keeper.publishableKeys[mode]
    if (publishable_key === undefined) throw new Problem('cards_not_collected')
    const of = { account_id, mode, profile_id: path.profile_id }
    const profile = await readProfile(ctx.reads, ctx.tenant, path.profile_id)
    if (profile === null) throw new Problem('not_found', { param: 'profile_id' })
    if (profile.status !== 'active') throw new Problem('profile_archived')
    // guard setups-are-bounded: whoever has copied the key of a page makes no heap of objects at the processor
    await takeRateNow(ctx, { limit: 'profileSetups', subject: subjectOf(ctx.tenant, path.profile_id) })
    const { rail } = keeper
    const known = await ctx.reads.maybe(selectRailCustomer({ ...of, rail }))
    const customer = known?.customer ?? (await openCustomer(ctx, path.profile_id))
    const id = ctx.newId('cset')
    const begun = await keeper.begin({ key: id, customer }, { mode, timeoutMs: callMs })
    if (begun.kind === 'away') throw away()
    if (known === null) ctx.tx.write(insertRailCustomer({ ...of, rail, customer, now: ctx.now }))
    const expires_at = new Date(ctx.now.getTime() + setupHours * 3_600_000)
    const { reference, clientSecret: client_secret } = begun
    ctx.tx.write(insertCardSetup({ ...of, id, rail, customer, reference, now: ctx.now, expires_at }))
    const said = {
      id,
      client_secret,
      publishable_key,
      expires_at: expires_at.toISOString(),
    }
    return reply(201, { ...said, client_secret: '' }, { reveal: said })
  },
})

async function openCustomer(ctx: CallContext, profileId: string): Promise<string> {
  const opened = await ctx
    .port(CardKeepers)
    .openCustomer({ key: `customer:${profileId}` }, { mode: ctx.tenant.mode, timeoutMs: callMs })
  if (opened.kind === 'away') throw away()
  return opened.id
}

function away(): Problem {
  return new Problem('unavailable', { headers: { 'retry-after': '1' } })
}
