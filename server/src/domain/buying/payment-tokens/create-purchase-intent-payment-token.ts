import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { exampleId } from '../../../contract/examples.ts'
import { defineOperation, type Reply, reply } from '../../../contract/operation.ts'
import { checkAll, invalid, Problem } from '../../../contract/problem.ts'
import { Closed, CurrencyCode, Described, IdParam, Named, Text } from '../../../contract/schemas.ts'
import { amountMax, toWire } from '../../../core/money.ts'
import { newToken, tokenPrefix } from '../../../platform/secrets/keyed-hash.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import { exactlyOne, Ruled } from '../../../schema/rules.ts'
import { credentialExpiry } from '../execution/public.ts'
import {
  changeIntent,
  type LoadedCart,
  type LoadedIntent,
  lockForRelease,
  newCart,
  readSellers,
} from '../intents/public.ts'
import { PaymentToken, renderToken, type StandingToken, type TokenRow } from './payment-token.ts'
import { insertToken, selectNamedMerchant, selectToken } from './payment-tokens.sql.ts'
import { tokenStatusOf } from './token-status.ts'

/** How long the answer waits for the rail to issue the credential. */
const issueWaitMs = 3000

const rules = {
  one_name: 'send exactly one of id, slug and domain',
  one_binding: 'send exactly one of checkout_id and challenge_id',
  currency: 'the purchase is in another currency',
}

const BindingId = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$', description }))

const PaymentTokenCreate = Named(
  'PaymentTokenCreate',
  Closed(
    {
      merchant: Ruled(
        Closed(
          {
            id: Type.Optional(IdParam('The id of the merchant.', 'acct')),
            slug: Type.Optional(Text(63, { description: 'Its slug.' })),
            domain: Type.Optional(Type.String({ format: 'domain', description: 'Its verified domain.' })),
          },
          { description: 'The one merchant that can charge it, by exactly one of its names.' },
        ),
        { one_name: rules.one_name },
        [exactlyOne({ id: 'string', slug: 'string', domain: 'string' })],
      ),
      amount: Type.Integer({
        minimum: 1,
        maximum: Number(amountMax),
        description:
          'The most that the merchant can charge in all, in minor units (1999 is $19.99): the total of its checkout.',
      }),
      currency: Ruled(Described(CurrencyCode, 'ISO 4217 code of that amount: that of the purchase.'), {
        currency: rules.currency,
      }),
      binding: Ruled(
        Closed(
          {
            checkout_id: BindingId('The id of a UCP checkout of the merchant.'),
            challenge_id: BindingId('The id of an MPP challenge of the merchant.'),
          },
          { description: 'The one thing that it pays for at the merchant.' },
        ),
        { one_binding: rules.one_binding },
        [exactlyOne({ checkout_id: 'string', challenge_id: 'string' })],
      ),
    },
    { description: 'Who may charge how much, and for what.' },
  ),
)
type PaymentTokenCreate = Static<typeof PaymentTokenCreate>

export const createPurchaseIntentPaymentToken = defineOperation({
  id: 'v1_create_purchase_intent_payment_token',
  method: 'POST',
  path: '/v1/purchase_intents/{purchase_intent_id}/payment_tokens',
  auth: 'secret',
  scope: 'purchase_intents:approve',
  withoutScope:
    'This releases money: an agent that may only propose purchases cannot do it. Let v1_create_purchase_intent buy, without `execution_method`.',
  tag: 'Payment tokens',
  summary: 'Create a payment token',
  description:
    'Use it where you speak UCP or MPP to a merchant yourself, and pay with a purchase that was approved or allowed. The ' +
    'token takes the whole purchase: nothing else buys it, and it can no longer be cancelled once `status` is `active`. One ' +
    'merchant can use it once, within 15 minutes, for the checkout or challenge that `binding` names, up to `amount`. Send ' +
    '`token` to the merchant: only this answer shows it. Next, follow the purchase with v1_get_purchase_intent.',
  destructive: true,
  params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
  body: PaymentTokenCreate,
  examples: {
    checkout: {
      summary: 'Pay a UCP checkout of $53.00',
      body: {
        merchant: { slug: 'blue-mugs' },
        amount: 5300,
        currency: 'USD',
        binding: { checkout_id: 'chk_29' },
      },
    },
    challenge: {
      summary: 'Answer an MPP challenge of $4.00',
      body: {
        merchant: { id: exampleId('acct') },
        amount: 400,
        currency: 'USD',
        binding: { challenge_id: 'kM9xPqWvT2nJrHsY4aDfEb' },
      },
    },
  },
  responses: { 201: PaymentToken },
  problems: [
    'not_found',
    'frozen',
    'merchant_changed',
    'payment_token_not_available',
    'payment_token_wrong_merchant',
    'payment_token_over_cap',
  ],
  conflicts: { payment_tokens_one_of_intent: 'payment_token_not_available' },
  async handle(ctx, { path, body }) {
    checkNames(body)
    const loaded = await lockForRelease(ctx, path.purchase_intent_id)
    const merchant = await findMerchant(ctx, body.merchant)
    checkPurchase(loaded, body)
    await checkSellers(ctx, loaded, merchant)
    const cart = makeCart(ctx, loaded, { body, merchant })
    const token = newToken(`vtok_${ctx.tenant.mode}_`, ctx.random)
    const row: TokenRow = {
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      id: ctx.newId('tok'),
      intent_id: loaded.intent.id,
      cart_id: cart.id,
      merchant_account_id: merchant.account_id,
      merchant_slug: merchant.slug,
      merchant_domain: merchant.domain,
      amount: BigInt(body.amount),
      currency: loaded.intent.currency,
      ...bindingOf(body),
      token_hash: ctx.sealer.hashToken(token),
      prefix: tokenPrefix(token),
      expires_at: credentialExpiry(cart),
      order_id: null,
      seq: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    const object = renderToken({ ...row, ...justMade })
    ctx.tx.write(insertToken(row))
    ctx.tx.emit({ type: 'payment_token.created', aggregateId: row.id, sequence: 1, object })
    ctx.tx.wake('carts', { isAwaited: true })
    return reply(201, object, { reveal: { token }, settle: () => issued(ctx, row, object) })
  },
})

const justMade = {
  cart_status: 'created',
  failure_code: null,
  is_handed_out: false,
  is_claimed: false,
} as const satisfies Partial<StandingToken>

function checkNames({ merchant, binding }: PaymentTokenCreate): void {
  const count = (names: object) => Object.values(names).filter((name) => name !== undefined).length
  checkAll(
    () => {
      if (count(merchant) !== 1) throw invalid(['body', 'merchant'], rules.one_name)
    },
    () => {
      if (count(binding) !== 1) throw invalid(['body', 'binding'], rules.one_binding)
    },
  )
}

type Merchant = Awaited<ReturnType<typeof findMerchant>>

async function findMerchant(ctx: CallContext, named: PaymentTokenCreate['merchant']) {
  const { accountId: viewer, mode } = ctx.tenant
  const found = await ctx.tx.maybe(
    selectNamedMerchant({
      mode,
      viewer,
      ids: named.id === undefined ? [] : [named.id],
      slugs: named.slug === undefined ? [] : [named.slug],
      domains: named.domain === undefined ? [] : [named.domain.toLowerCase()],
    }),
  )
  if (!found) throw new Problem('not_found', { param: 'merchant' })
  return found
}

/** The purchase as a whole is free, and its cap is enough. */
function checkPurchase({ intent, carts }: LoadedIntent, body: PaymentTokenCreate): void {
  const isReleased = intent.status === 'approved' || intent.status === 'queued'
  // guard token-of-what-was-released: only an approved or allowed purchase of which nothing has begun gives a token
  // guard token-takes-the-whole: a purchase that is being bought otherwise gives no token
  if (!isReleased || carts.length > 0) throw new Problem('payment_token_not_available')
  // guard token-currency: a token is in the currency of its purchase
  if (normalizeCurrency(body.currency) !== intent.currency)
    throw invalid(['body', 'currency'], rules.currency)
  // guard token-within-the-cap: no token is worth more than what was approved
  if (BigInt(body.amount) > intent.max_allowed_amount) {
    throw new Problem('payment_token_over_cap', {
      param: 'amount',
      extra: { max_allowed_amount: toWire(intent.max_allowed_amount) },
    })
  }
}

/** All items are the merchant's, as they were when the purchase was decided. */
async function checkSellers(ctx: CallContext, { intent }: LoadedIntent, merchant: Merchant): Promise<void> {
  const sold = await readSellers(ctx, intent.items)
  // guard token-of-its-seller: nobody is paid by a token for what somebody else sells
  if (sold.some(({ now }) => now?.account_id !== merchant.account_id))
    throw new Problem('payment_token_wrong_merchant', { param: 'merchant' })
  // guard token-of-the-merchant-decided: a merchant that has changed since the decision gets no token
  if (sold.some(({ hasChanged }) => hasChanged)) throw new Problem('merchant_changed')
}

/** The one cart of the purchase: its cap is the amount of the token, and it is never tried again. */
function makeCart(
  ctx: CallContext,
  loaded: LoadedIntent,
  { body, merchant }: { body: PaymentTokenCreate; merchant: Merchant },
): LoadedCart {
  const { intent } = loaded
  const cart = newCart(ctx, intent, {
    group: {
      name: merchant.name,
      // The rail knows the merchant by it.
      domain: merchant.domain ?? merchant.slug ?? merchant.account_id,
      merchantAccountId: merchant.account_id,
      items: intent.items,
    },
    channel: body.binding.checkout_id === undefined ? 'mpp' : 'ucp',
    position: 0,
    share: {
      // guard token-caps-its-cart: a merchant charges at most the amount of the token
      maxAllowed: BigInt(body.amount),
      feeAllowance: intent.fee_allowance,
      taxAllowance: intent.tax_allowance,
    },
    expected: intent.expected_amount,
    // guard token-is-one-attempt: a token that failed is not issued again
    maxAttempts: 1,
  })
  changeIntent(ctx, loaded, {
    intent: { started_at: ctx.now, due_at: null, lease_until: null },
    newCarts: [cart],
    events: [{ type: 'purchase_intent.started' }, { type: 'cart.created', cartId: cart.id }],
  })
  return cart
}

function bindingOf({ binding }: PaymentTokenCreate): Pick<TokenRow, 'binding_kind' | 'binding_id'> {
  const { checkout_id, challenge_id = '' } = binding
  return checkout_id === undefined
    ? { binding_kind: 'challenge', binding_id: challenge_id }
    : { binding_kind: 'checkout', binding_id: checkout_id }
}

/** The token as it is once the rail has answered, or when the caller has waited long enough. */
async function issued(
  ctx: CallContext,
  row: TokenRow,
  made: PaymentToken,
): Promise<Reply<201, PaymentToken>> {
  const { account_id, mode, id } = row
  const standing = await ctx.waitFor(
    row.intent_id,
    issueWaitMs,
    async () => {
      const found = await ctx.reads.maybe(selectToken({ account_id, mode, id }))
      return found && tokenStatusOf(found) !== 'pending' ? found : null
    },
    { isFresh: true },
  )
  return reply(201, standing ? renderToken(standing) : made)
}
