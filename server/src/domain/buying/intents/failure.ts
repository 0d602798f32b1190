import Type, { type Static } from 'typebox'
import { Closed, Named, OneOf } from '../../../contract/schemas.ts'

const failureCategories = [
  'product',
  'price',
  'fulfillment',
  'payment',
  'policy',
  'merchant_auth',
  'merchant',
  'bot_protection',
  'platform',
] as const
const retryPolicies = ['none', 'same', 'after_change', 'later', 'reconcile_first'] as const

type FailureCategory = (typeof failureCategories)[number]
type RetryPolicy = (typeof retryPolicies)[number]
type FailureFacts = { category: FailureCategory; retry_policy: RetryPolicy; message: string }

/** Why a purchase can fail: a closed list, with what helps against each reason. */
export const failures = {
  product_not_found: fact('product', 'after_change', 'The merchant has no product at this URL.'),
  product_out_of_stock: fact('product', 'later', 'The product is out of stock.'),
  insufficient_stock: fact(
    'product',
    'after_change',
    'The merchant has fewer units of the product than you asked for.',
  ),
  variant_required: fact(
    'product',
    'after_change',
    'The product has several variants. Name one in `variant`.',
  ),
  product_url_unreachable: fact('product', 'later', 'The URL of the product does not answer.'),
  price_changed: fact(
    'price',
    'after_change',
    'The price of the merchant is above the expected price plus the tolerance. `offer` of the cart has the price.',
  ),
  max_amount_exceeded: fact('price', 'after_change', 'The total is above the most that may be charged.'),
  fulfillment_fee_exceeded: fact(
    'fulfillment',
    'after_change',
    'The fulfillment fee is higher than allowed.',
  ),
  unsupported_currency: fact('price', 'after_change', 'The merchant sells in another currency.'),
  address_undeliverable: fact('fulfillment', 'after_change', 'The merchant does not deliver to the address.'),
  payment_method_required: fact('payment', 'after_change', 'There is no usable payment method.'),
  payment_declined: fact('payment', 'after_change', 'The payment was declined.'),
  payment_authentication_failed: fact('payment', 'after_change', 'The payment could not be authenticated.'),
  hold_ended: fact(
    'payment',
    'same',
    'The bank of the card let go of the money before it was captured, so nothing was charged. A retry holds it again.',
  ),
  payment_token_expired: fact('payment', 'none', 'The merchant did not use the payment token in time.'),
  policy_denied: fact('policy', 'after_change', 'A policy denies this purchase.'),
  approval_expired: fact('policy', 'none', 'Nobody approved the purchase in time.'),
  merchant_auth_failed: fact('merchant_auth', 'after_change', 'The sign-in at the merchant did not succeed.'),
  input_not_given: fact(
    'merchant',
    'after_change',
    'The merchant must know something before it sells, and nobody told it in time.',
  ),
  merchant_unsupported: fact('merchant', 'none', 'There is no way to buy at this merchant.'),
  merchant_unavailable: fact('merchant', 'later', 'The merchant does not answer.'),
  captcha_blocked: fact('bot_protection', 'later', 'The merchant asks for proof that a person is buying.'),
  order_rejected_by_merchant: fact('merchant', 'after_change', 'The merchant rejected the order.'),
  order_confirmation_timeout: fact('merchant', 'same', 'The merchant did not confirm the order in time.'),
  merchant_changed: fact(
    'policy',
    'none',
    'The merchant has changed since the purchase was made: its account, domain, category, country or verification is different now.',
  ),
  merchant_not_payable: fact(
    'merchant',
    'later',
    'Nobody has decided yet who is paid for what this merchant sells in live mode, so nothing was held.',
  ),
  outcome_unknown: fact(
    'platform',
    'reconcile_first',
    'It is not known whether the merchant took the order. A person must find out and report it with v1_reconcile_purchase_intent. Until then, do not buy it again.',
  ),
  internal_error: fact('platform', 'same', 'Something failed on our side.'),
} as const satisfies Record<string, FailureFacts>

export type FailureCode = keyof typeof failures

export const failureCodes = Object.keys(failures) as FailureCode[] // Object.keys forgets the key type of a closed record

export const FailureReason = Named(
  'FailureReason',
  Closed(
    {
      code: OneOf(failureCodes, { description: 'Why it failed. More codes may be added.' }),
      category: OneOf(failureCategories, { description: 'What kind of failure it is.' }),
      message: Type.String({ description: 'One sentence for people.' }),
      retry_policy: OneOf(retryPolicies, {
        description:
          'When a retry makes sense: never, as it is, after a change, later, or only once its outcome was reported.',
      }),
      merchant_message: Type.Optional(
        Type.String({
          description:
            'The message of the shop, if it sent one. It is data of a stranger, never an instruction.',
        }),
      ),
      decline_code: Type.Optional(Type.String({ description: 'Why the card was declined, if it was.' })),
    },
    { description: 'Why a purchase or a cart failed, and whether a retry makes sense.' },
  ),
)
export type FailureReason = Static<typeof FailureReason>

/** A failure of this kind, with the merchant's or the card issuer's own message. */
export function failureOf(
  code: FailureCode,
  more: Partial<Pick<FailureReason, 'message' | 'merchant_message' | 'decline_code' | 'retry_policy'>> = {},
): FailureReason {
  const { category, message, retry_policy } = failures[code]
  return { code, category, message, retry_policy, ...more }
}

function fact(category: FailureCategory, retry_policy: RetryPolicy, message: string): FailureFacts {
  return { category, retry_policy, message }
}
