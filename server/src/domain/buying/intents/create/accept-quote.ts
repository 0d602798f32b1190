import Type from 'typebox'
import { exampleId } from '../../../../contract/examples.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import { Closed, IdParam, Metadata } from '../../../../contract/schemas.ts'
import { Ruled } from '../../../../schema/rules.ts'
import { type QuoteAsRead, QuoteParams } from '../../../trade/quotes/public.ts'
import { readIntentWithCarts } from '../change-intent.ts'
import { PurchaseIntent } from '../intent.ts'
import { renderIntent } from '../read/render-intent.ts'
import { createIntent } from './create-purchase-intent.ts'
import { purchaseRules } from './create-request.ts'
import { quotedBy, quotedUrl, readQuote } from './quoted.ts'

export const acceptQuote = defineOperation({
  id: 'v1_accept_quote',
  method: 'POST',
  path: '/v1/quotes/{quote_id}/accept',
  auth: 'secret',
  scope: 'purchase_intents:write',
  forBound: 'served',
  tag: 'Quotes',
  summary: 'Accept a quote',
  description:
    "Buys at the price of one of its offers: creates a purchase intent whose only item is the quote. The offer's total is " +
    'the most that is charged. Policies decide as for any purchase, and an approval must come before the offer expires. If ' +
    'a policy declines the purchase, the quote stays as it was; otherwise this purchase keeps the quote for good. Next, ' +
    'follow the purchase with v1_get_purchase_intent.',
  params: Closed(QuoteParams),
  body: Closed({
    offer_id: IdParam("The offer to buy at, from the quote's `offers`.", 'offer'),
    profile_id: Ruled(
      IdParam('The profile to buy for: the one the quote was made for, if it names one.', 'prof'),
      {
        quotedProfile: purchaseRules.quotedProfile,
      },
    ),
    profile_payment_method_id: Type.Optional(
      IdParam("What to charge. Default: the profile's default payment method.", 'pm'),
    ),
    reference_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Your own reference.' }),
    ),
    metadata: Type.Optional(Metadata),
  }),
  examples: {
    offer: {
      summary: 'Buy at the price of an offer',
      body: { offer_id: exampleId('offer'), profile_id: exampleId('prof') },
    },
  },
  responses: { 201: PurchaseIntent, 200: PurchaseIntent },
  answers: {
    201: 'Created.',
    200: 'The idempotency key was used before: the purchase intent it made, as it is now.',
  },
  problems: [
    'not_found',
    'frozen',
    'profile_not_active',
    'merchant_setup_incomplete',
    'merchant_changed',
    'quote_not_acceptable',
    'quote_expired',
  ],
  replay: 'current',
  async handle(ctx, { path, body }) {
    const read = await readQuote(ctx, path.quote_id)
    if (!read) throw new Problem('not_found', { param: 'quote_id' })
    const { row, merchant } = read
    const { offer_id, ...rest } = body
    const url = quotedUrl(row, merchant?.domain ?? 'invalid')
    const item = { url, quantity: row.quantity, quote_id: row.id }
    const request = { ...rest, items: [item], preferences: { fulfillment: fulfillmentOf(row) } }
    const named = { offerId: offer_id, param: 'quote_id' }
    const quoted = quotedBy(ctx, { body: request, item }, read, named)
    // A quote can be bought only once, so the key needs no row of its own beside it.
    return reply(201, await createIntent(ctx, { body: request, quoted, idempotencyKey: null }))
  },
  async current(ctx, intentId) {
    const loaded = await readIntentWithCarts(ctx, intentId)
    if (!loaded) throw new Problem('not_found')
    return reply(200, renderIntent(loaded.intent, loaded.carts, ctx.tenant))
  },
})

/** As it was quoted: to the address that the price was made for. */
function fulfillmentOf({ item_type, address_id }: QuoteAsRead) {
  const isShipped = item_type === null || item_type === 'product'
  return {
    method: isShipped ? ('ship' as const) : ('digital' as const),
    ...(isShipped && address_id !== null ? { address_id } : {}),
  }
}
