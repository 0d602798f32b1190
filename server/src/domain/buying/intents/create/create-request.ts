import Type, { type Static } from 'typebox'
import { invalid, Problem, ValidationProblem } from '../../../../contract/problem.ts'
import type { ProblemCode } from '../../../../contract/problem-codes.ts'
import {
  Amount,
  Closed,
  CurrencyCode,
  Described,
  IdParam,
  Metadata,
  Named,
  OneOf,
} from '../../../../contract/schemas.ts'
import { amountMax } from '../../../../core/money.ts'
import { normalizeCurrency } from '../../../../schema/formats.ts'
import { given, not, Ruled, whenThen } from '../../../../schema/rules.ts'
import type { Address, BuyerFacts } from '../../../buyers/profiles/public.ts'
import { Inputs } from '../../../selling/catalog/public.ts'
import { type Fulfillment, fulfillmentMethods, fulfillmentSpeeds, type IntentItem } from '../intent.ts'
import { ExecutionMethod } from './execution-method.ts'
import { aloneWithRequest, ItemRequest, requestRules } from './item-request.ts'
import { ItemVariant } from './item-variant.ts'
import { PromoCode } from './promo-code.ts'
import type { Quoted } from './quoted-terms.ts'

const itemsMax = 100
const quantityMax = 10_000

const ItemCreate = Ruled(
  Closed({
    url: Type.String({ format: 'https-url', description: 'The product page at its shop.' }),
    quantity: Type.Integer({ minimum: 1, maximum: quantityMax, description: 'How many units.' }),
    expected_amount: Type.Optional(
      Amount(
        'What one unit should cost, before tax and fulfillment, in minor units (1999 is $19.99). Leave it out only with `quote_id`.',
      ),
    ),
    expected_currency: Type.Optional(Described(CurrencyCode, 'ISO 4217 code of that amount, such as USD.')),
    variant: Type.Optional(Described(ItemVariant, 'Which variant to buy, if the product has several.')),
    quote_id: Type.Optional(IdParam('Buy at the price of this quote.', 'quo')),
    inputs: Type.Optional(
      Described(Inputs, 'What its merchant must know: values by the names of `required_inputs`.'),
    ),
    request: Type.Optional(
      Described(
        ItemRequest,
        'For a paid API over MPP: what to send to the URL. Its answer is what is bought.',
      ),
    ),
  }),
  { alone: requestRules.alone, inputs: requestRules.inputs },
  [
    ...aloneWithRequest,
    whenThen(given('quote_id'), not(given('inputs', 'object'))),
    whenThen(not(given('quote_id')), given('expected_amount', 'integer')),
    whenThen(not(given('quote_id')), given('expected_currency')),
  ],
)

/** The rules for a purchase that its schema cannot express. */
export const purchaseRules = {
  currency: 'all items must have the same currency',
  tooMuch: 'the total is above the largest amount of a purchase',
  alone: 'an item with a quote_id must be the only item',
  severalOffers: 'the quote has several offers: accept one with POST /v1/quotes/{quote_id}/accept',
  quotedQuantity: 'the quote is for another quantity',
  quotedCurrency: 'the quote is in another currency',
  quotedUrl: 'the quote is for another URL',
  quotedProfile: 'the quote was made for another profile',
  quotedPromo: 'a quote has its price: leave the promotion code out',
}

export const PurchaseIntentCreate = Named(
  'PurchaseIntentCreate',
  Ruled(
    Closed(
      {
        profile_id: IdParam('The profile to buy for, from v1_list_profiles.', 'prof'),
        items: Type.Array(ItemCreate, {
          minItems: 1,
          maxItems: itemsMax,
          description: 'What to buy, all in one currency; from several shops if you like.',
        }),
        profile_payment_method_id: Type.Optional(
          IdParam("What to charge. Default: the profile's default payment method.", 'pm'),
        ),
        currency_code: Type.Optional(
          Described(CurrencyCode, 'ISO 4217 code of the purchase. Default: that of its items.'),
        ),
        max_amount: Type.Optional(
          Amount(
            'The most that may be charged in all, with fulfillment and tax, in minor units (1999 is $19.99).',
          ),
        ),
        execution_method: Type.Optional(
          Described(
            ExecutionMethod,
            'What begins the purchase. Default: `automatic`. `payment_token` needs a key that may approve.',
          ),
        ),
        policy_id: Type.Optional(IdParam('A policy to apply as well; it can only restrict.', 'pol')),
        preferences: Type.Optional(
          Closed(
            {
              fulfillment: Type.Optional(
                Closed(
                  {
                    method: Type.Optional(
                      OneOf(fulfillmentMethods, {
                        default: 'ship',
                        description: 'Ship them, pick them up, or get them digitally.',
                      }),
                    ),
                    speed: Type.Optional(
                      OneOf(fulfillmentSpeeds, {
                        default: 'cheapest',
                        description: 'The cheapest or the fastest way.',
                      }),
                    ),
                    address_id: Type.Optional(
                      IdParam(
                        "The profile's address to ship to. Default: its default shipping address, else another.",
                        'addr',
                      ),
                    ),
                    max_fee_amount: Type.Optional(
                      Amount('The most that fulfillment may cost in all, in minor units (1999 is $19.99).'),
                    ),
                  },
                  { description: 'How to get the goods.' },
                ),
              ),
              promo_code: Type.Optional(PromoCode),
            },
            { description: 'How to buy.' },
          ),
        ),
        reference_id: Type.Optional(
          Type.String({ minLength: 1, maxLength: 255, description: 'Your own reference.' }),
        ),
        metadata: Type.Optional(Metadata),
        idempotency_key: Type.Optional(
          Type.String({
            pattern: '^[\\x21-\\x7e]{1,255}$',
            description: 'Names this purchase: a second call with the same key buys nothing more.',
          }),
        ),
      },
      { description: 'A purchase to make.' },
    ),
    purchaseRules,
  ),
)
export type PurchaseIntentCreate = Static<typeof PurchaseIntentCreate>

/** An item that a reader may copy. */
export const twoMugs = {
  url: 'https://blue-mugs.example/products/mug',
  variant: { sku: 'MUG-L' },
  quantity: 2,
  expected_amount: 1999,
  expected_currency: 'USD',
}

/** The refusals of such a request, whether the purchase is to be made or only previewed. */
export const createProblems: readonly ProblemCode[] = [
  'not_found',
  'frozen',
  'profile_not_active',
  'policy_archived',
  'merchant_setup_incomplete',
  'merchant_changed',
  'quote_not_acceptable',
  'quote_expired',
]

type RequestedItem = Pick<IntentItem, 'url' | 'quantity' | 'unit_amount' | 'variant' | 'quote_id' | 'inputs'>
export type RequestedPurchase = {
  items: RequestedItem[]
  currency: string
  expected: bigint
  /** The quote whose price is paid. */
  quoted: Quoted | null
}

/** The request with everything that its schema leaves open; throws the 422 for a request that contradicts itself. */
export function readRequest(body: PurchaseIntentCreate, quoted: Quoted | null): RequestedPurchase {
  if (quoted) return quotedRequest(body, quoted)
  const issues = body.items.flatMap((item, index) =>
    (['expected_amount', 'expected_currency'] as const)
      .filter((name) => item[name] === undefined && item.quote_id === undefined)
      .map((name) => ({
        type: 'missing' as const,
        loc: ['body', 'items', index, name],
        msg: 'Field required',
      })),
  )
  if (issues.length > 0) throw new ValidationProblem(issues)
  const currencies = body.items.map((item) => normalizeCurrency(item.expected_currency ?? ''))
  const currency =
    body.currency_code === undefined ? (currencies[0] ?? '') : normalizeCurrency(body.currency_code)
  // guard one-currency-per-intent: all items of an intent share its currency
  const other = currencies.findIndex((one) => one !== currency)
  if (other >= 0) throw invalid(['body', 'items', other, 'expected_currency'], purchaseRules.currency)
  const items = body.items.map(({ url, quantity, expected_amount, variant, inputs }) => ({
    url,
    quantity,
    unit_amount: expected_amount ?? 0,
    variant: variant ?? null,
    quote_id: null,
    ...(inputs === undefined ? {} : { inputs }),
  }))
  const expected = items.reduce((sum, item) => sum + BigInt(item.unit_amount) * BigInt(item.quantity), 0n)
  if (expected > amountMax) throw tooMuch()
  return { items, currency, expected, quoted: null }
}

/** The quoted price is the price of the whole; the price of a unit is its share, rounded down, for people to read. */
function quotedRequest(body: PurchaseIntentCreate, quoted: Quoted): RequestedPurchase {
  const items = body.items.map(({ url, quantity, variant }) => ({
    url,
    quantity,
    unit_amount: Number(quoted.total / BigInt(quantity)),
    variant: variant ?? null,
    quote_id: quoted.quoteId,
  }))
  return { items, currency: quoted.currency, expected: quoted.total, quoted }
}

/** The 422 for a purchase whose total is larger than an amount can be. */
export function tooMuch(): ValidationProblem {
  return invalid(['body', 'items'], purchaseRules.tooMuch)
}

/** How the goods are delivered, with the address as it is at this moment. */
export function readFulfillment(body: PurchaseIntentCreate, profile: BuyerFacts): Fulfillment {
  const asked = body.preferences?.fulfillment ?? {}
  const method = asked.method ?? 'ship'
  const named =
    asked.address_id === undefined ? null : profile.addresses.find(({ id }) => id === asked.address_id)
  if (named === undefined) throw new Problem('not_found', { param: 'preferences.fulfillment.address_id' })
  const address = method === 'ship' ? (named ?? defaultAddress(profile.addresses)) : named
  return {
    method,
    speed: asked.speed ?? 'cheapest',
    address_id: address?.id ?? null,
    max_fee_amount: asked.max_fee_amount ?? null,
    address,
    country: method === 'ship' ? (address?.country ?? profile.country) : null,
  }
}

/** The address that is used where the request names none: the default for shipping, otherwise the default of any type. */
export function defaultAddress(addresses: readonly Address[]): Address | null {
  const shipping = addresses.filter((address) => address.address_type !== 'billing')
  const isDefault = (address: Address) => address.is_default
  return shipping.find(isDefault) ?? addresses.find(isDefault) ?? addresses[0] ?? null
}
