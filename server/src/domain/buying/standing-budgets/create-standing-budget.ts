import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import {
  At,
  Closed,
  CurrencyCode,
  Described,
  IdParam,
  Nullable,
  PositiveAmount,
} from '../../../contract/schemas.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import { Ruled } from '../../../schema/rules.ts'
import {
  isTestIdentifier,
  type MethodInSession,
  readMethodInSession,
} from '../../buyers/payment-methods/public.ts'
import { addStandingBudget, Interval, Policy } from '../../policies/public.ts'
import { isTypedToken, TypedCodes, typedCodesBudgetMs } from '../intents/public.ts'
import { insertStandingBudget, type ProvenBy } from './standing-budgets.sql.ts'

const rules = { future: 'a budget ends in the future' }

const Budget = Ruled(
  Closed(
    {
      amount: PositiveAmount('The most that may be spent in the period, in minor units (1999 is $19.99).'),
      currency: Described(CurrencyCode, 'ISO 4217 code of the amount, such as USD.'),
      interval: Described(Interval, 'The period in which it may be spent, again and again.'),
      expires_at: Type.Optional(Nullable(At('When it ends. Default: never.'))),
    },
    { description: 'The budget, as the person was shown it.' },
  ),
  rules,
)

export const createStandingBudget = defineOperation({
  id: 'elements_create_standing_budget',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/payment_methods/{payment_method_id}/standing_budgets',
  auth: 'secret',
  scope: 'payment_methods:write',
  // To an agent it would be a way to widen its own limits.
  surfaces: ['elements'],
  forBound: 'served',
  tag: 'Elements',
  summary: 'Let agents spend a budget with a card',
  description:
    'The holder of a card approves it in a component whose session was opened with a client secret, after the card was added and ' +
    'proven there. It is a policy for purchases that this card pays for; a second one replaces nothing.',
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    payment_method_id: IdParam('The card.', 'pm'),
  }),
  body: Closed({
    budget: Budget,
    temporary_cvc_token_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'The security code that was typed with the card, as a token: for a card whose enrollment has no step.',
      }),
    ),
  }),
  responses: { 201: Policy },
  problems: [
    'not_found',
    'client_secret_required',
    'card_not_proven',
    'object_limit_reached',
    'test_card_identifier_not_allowed_in_live_mode',
  ],
  outside: { ports: [TypedCodes], budgetMs: typedCodesBudgetMs },
  async handle(ctx, { path, body }) {
    const { keyId, component } = ctx
    if (keyId === null || component === null) throw new Problem('not_found')
    // guard budgets-by-the-server-of-the-page: who has only copied a key lets no agent spend
    if (!component.isVouched) throw new Problem('client_secret_required')
    const { amount, currency, interval, expires_at = null } = body.budget
    const endsAt = expires_at === null ? null : new Date(expires_at)
    if (endsAt !== null && endsAt <= ctx.now) throw invalid(['body', 'budget', 'expires_at'], rules.future)
    const code = body.temporary_cvc_token_id
    const typedCode = code === undefined ? null : await takeCode(ctx, path, code)
    const method = await readMethodInSession(ctx, path)
    const proven_by = provenBy(method, { code, typedCode })
    // guard budgets-for-proven-cards: nobody lets agents spend with a card that they have not shown to be theirs
    if (proven_by === null) throw new Problem('card_not_proven')
    const card = { id: method.id, ...method.card }
    const policy = await addStandingBudget(ctx, { amount, currency, interval, expiresAt: expires_at, card })
    ctx.tx.write(
      insertStandingBudget({
        account_id: ctx.tenant.accountId,
        mode: ctx.tenant.mode,
        policy_id: policy.id,
        profile_id: method.profileId,
        payment_method_id: method.id,
        key_id: keyId,
        page: component.page,
        session_hash: component.hash,
        proven_by,
        amount: BigInt(amount),
        currency: normalizeCurrency(currency),
        interval,
        ends_at: endsAt,
        approved_at: ctx.now,
      }),
    )
    return reply(201, policy)
  },
})

type Code = { readonly code: string | undefined; readonly typedCode: TypedCode | null }
type TypedCode = NonNullable<Parameters<MethodInSession['isCode']>[0]['typedCode']>

/** By what the card was proven in this session; null: it was not. */
function provenBy(method: MethodInSession, { code, typedCode }: Code): ProvenBy | null {
  if (!method.isAddedHere) return null
  if (method.isProvenHere) return 'enrollment'
  if (code === undefined) return null
  const shown = { temporary_cvc_token_id: code, ...(typedCode === null ? {} : { typedCode }) }
  return method.isCode(shown) ? 'security_code' : null
}

/** What the vault tells of a code that a person of this profile has typed, for this card alone; null: there is none under the token. */
async function takeCode(
  ctx: CallContext,
  path: { profile_id: string; payment_method_id: string },
  token: string,
): Promise<TypedCode | null> {
  // guard no-test-code-for-a-live-budget: live mode takes no identifier of a test security code
  if (ctx.tenant.mode === 'live' && isTestIdentifier(token))
    throw new Problem('test_card_identifier_not_allowed_in_live_mode', { param: 'temporary_cvc_token_id' })
  if (!isTypedToken(token)) return null
  const asked = { tenant: ctx.tenant, token, profile: path.profile_id, purchase: path.payment_method_id }
  const said = await ctx.port(TypedCodes).takeCode(asked)
  if (said.kind === 'away') throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
  return said.kind === 'taken' ? { digits: said.digits, isOfTestCards: said.isOfTestCards } : null
}
