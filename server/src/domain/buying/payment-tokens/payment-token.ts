import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import { At, Closed, Described, IdOf, Named, Nullable, OneOf, objectHead } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { toWire } from '../../../core/money.ts'
import { type TokenFacts, tokenStatuses, tokenStatusOf } from './token-status.ts'

const Binding = Closed(
  {
    checkout_id: Type.Optional(Type.String({ description: 'The UCP checkout that it pays for.' })),
    challenge_id: Type.Optional(Type.String({ description: 'The MPP challenge that it answers.' })),
  },
  { description: 'What the token pays for at the merchant: one of the two.' },
)

export const PaymentToken = Named(
  'PaymentToken',
  Closed(
    {
      ...objectHead('tok', 'payment_token'),
      purchase_intent_id: IdOf('pi', 'The purchase intent that it pays for.'),
      cart_id: IdOf('cart', 'The cart of the purchase that the merchant charges by it.'),
      merchant: Closed(
        {
          id: IdOf('acct', 'The id of the merchant.'),
          slug: Nullable(Type.String({ description: 'Its slug; null if it has none.' })),
          domain: Nullable(Type.String({ description: 'Its domain; null if it has none.' })),
        },
        { description: 'The one merchant that can charge it.' },
      ),
      amount: Type.Integer({
        description: 'The most that the merchant can charge in all, in minor units (1999 is $19.99).',
      }),
      currency: Type.String({ description: 'ISO 4217 code of that amount.' }),
      binding: Described(Binding, 'What it pays for at the merchant.'),
      status: Described(
        Named(
          'PaymentTokenStatus',
          OneOf(tokenStatuses, {
            description:
              '`pending` cannot be used yet, `active` can. `authorized` holds the money for an order of the merchant. `captured`, `released`, `expired` and `failed` are the end; only `captured` has charged anything.',
          }),
        ),
        'How far it is.',
      ),
      expires_at: At('Until when the merchant can use it.'),
      token: Type.Optional(
        Type.String({
          description: 'What to send to the merchant. Only the answer that creates it shows it.',
        }),
      ),
      prefix: Type.String({ description: 'The beginning of the token, by which it can be recognized.' }),
    },
    { description: 'A single-use right of one merchant to charge the reserved amount of a purchase.' },
  ),
)
export type PaymentToken = Static<typeof PaymentToken>

export type TokenRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'tok'>
  intent_id: Id<'pi'>
  cart_id: Id<'cart'>
  merchant_account_id: Id<'acct'>
  merchant_slug: string | null
  merchant_domain: string | null
  amount: bigint
  currency: string
  binding_kind: 'checkout' | 'challenge'
  binding_id: string
  token_hash: Buffer
  prefix: string
  expires_at: Date
  order_id: string | null
  seq: number
  created_at: Date
  updated_at: Date
}

/** A token, and how its cart stands. */
export type StandingToken = TokenRow & TokenFacts

export function renderToken(row: StandingToken): PaymentToken {
  return {
    id: row.id,
    object: 'payment_token',
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    purchase_intent_id: row.intent_id,
    cart_id: row.cart_id,
    merchant: { id: row.merchant_account_id, slug: row.merchant_slug, domain: row.merchant_domain },
    amount: toWire(row.amount),
    currency: row.currency,
    binding: { [`${row.binding_kind}_id`]: row.binding_id },
    status: tokenStatusOf(row),
    expires_at: row.expires_at.toISOString(),
    prefix: row.prefix,
  }
}
