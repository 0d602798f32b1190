import Type, { type Static } from 'typebox'
import { Closed, IdOf, Named, Nullable, OneOf } from '../../contract/schemas.ts'

const Text = Closed({
  type: Type.Literal('text', { description: 'The type of the part.' }),
  text: Type.String({ description: 'What is said.' }),
})

/** A product as a search answered it. Nothing of a card is written by whoever thinks. */
export const ProductCard = Closed({
  id: Type.String({ description: 'The id under which the catalog has it.' }),
  title: Type.String({ description: 'What it is called.' }),
  merchant: Nullable(Type.String({ description: 'Who sells it.' })),
  url: Nullable(Type.String({ description: 'Its page.' })),
  amount: Nullable(Type.Integer({ description: 'What one costs, in minor units (1999 is $19.99).' })),
  currency: Nullable(Type.String({ description: 'ISO 4217 code of the amount.' })),
  options: Type.Array(
    Closed({
      name: Type.String({ description: 'The name of the option, such as Size.' }),
      values: Type.Array(Type.String(), { description: 'What can be chosen.' }),
    }),
    {
      description: 'What has to be chosen before it can be bought.',
    },
  ),
  is_available: Type.Boolean({ description: 'Whether it can be bought now.' }),
})
export type ProductCard = Static<typeof ProductCard>

const ProductList = Closed({
  type: Type.Literal('product_list', { description: 'The type of the part.' }),
  products: Type.Array(ProductCard, { description: 'The products, in the order in which they are shown.' }),
})

const Quote = Closed({
  type: Type.Literal('quote', { description: 'The type of the part.' }),
  quote_id: IdOf('quo', 'The quote.'),
  status: Type.String({ description: 'Its status when this was said.' }),
})

/** What stands before a button: what a person decides about. */
const PurchaseSummary = Closed({
  type: Type.Literal('purchase_intent', { description: 'The type of the part.' }),
  purchase_intent_id: IdOf('pi', 'The purchase.'),
  status: Type.String({ description: 'Its status when this was said.' }),
  merchants: Type.Array(Type.String(), { description: 'The shops.' }),
  items: Type.Array(
    Closed({
      title: Type.String({ description: 'What it is called, or its address.' }),
      quantity: Type.Integer({ description: 'How many units.' }),
    }),
    { description: 'What is bought.' },
  ),
  currency: Type.String({ description: 'ISO 4217 code of its amounts.' }),
  expected_amount: Type.Integer({ description: 'What the items cost, in minor units (1999 is $19.99).' }),
  max_allowed_amount: Type.Integer({
    description: 'The most that can be charged, delivery and tax included, in minor units (1999 is $19.99).',
  }),
  actual_amount: Type.Integer({
    description: 'What was charged until then, in minor units (1999 is $19.99).',
  }),
  delivery: Closed(
    {
      method: Type.String({ description: 'Shipped, picked up, or digital.' }),
      speed: Type.String({ description: 'The cheapest or the fastest way.' }),
      address_id: Nullable(Type.String({ description: 'The address of the profile; null: none is needed.' })),
    },
    { description: 'How the goods are delivered.' },
  ),
  returns: Nullable(Type.String({ description: 'What the shop says about returns; null: it says nothing.' })),
  needs_person: Type.Boolean({ description: 'Whether a person has to do something before it goes on.' }),
  failure_code: Nullable(Type.String({ description: 'Why it failed; null: it did not.' })),
})
export type PurchaseSummary = Static<typeof PurchaseSummary>

const ActionRequest = Closed({
  type: Type.Literal('action_request', { description: 'The type of the part.' }),
  element: OneOf(['AddOrSelectPaymentMethod', 'AddPaymentMethod', 'MerchantAuthHandoff'], {
    description: 'The component in which a person does it, on a page of yours.',
  }),
  purchase_intent_id: IdOf('pi', 'The purchase that waits.'),
  url: Nullable(
    Type.String({ description: 'A page of ours on which a person does it; null where there is none.' }),
  ),
})
export type ActionRequest = Static<typeof ActionRequest>

const ToolCall = Closed({
  type: Type.Literal('tool_call', { description: 'The type of the part.' }),
  id: Type.String({ description: 'The id of the call in its run.' }),
  name: Type.String({ description: 'The operation that is called.' }),
  arguments: Type.Unknown({ description: 'What it is called with.' }),
})

const ToolResult = Closed({
  type: Type.Literal('tool_result', { description: 'The type of the part.' }),
  id: Type.String({ description: 'The call.' }),
  name: Type.String({ description: 'The operation.' }),
  is_error: Type.Boolean({ description: 'Whether the call was refused.' }),
  result: Type.Unknown({ description: 'The answer of the operation.' }),
})

const Notice = Closed({
  type: Type.Literal('notice', { description: 'The type of the part.' }),
  code: Type.String({ description: 'Why, for programs.' }),
  text: Type.String({ description: 'The same for people.' }),
})

/** More kinds come: skip one that you do not know. */
export const ChatPart = Named(
  'ChatPart',
  Type.Union([Text, ProductList, Quote, PurchaseSummary, ActionRequest, ToolCall, ToolResult, Notice], {
    description: 'A part of a message. More types come: skip one that you do not know.',
  }),
)
export type ChatPart = Static<typeof ChatPart>

export function textOf(parts: readonly ChatPart[]): string {
  return parts
    .flatMap((part) => (part.type === 'text' || part.type === 'notice' ? [part.text] : []))
    .join('\n')
}
