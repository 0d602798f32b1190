import Type, { type Static } from 'typebox'
import { Closed, IdOf, Named, Nullable, OneOf } from '../../contract/schemas.ts'

const Text = Closed({ type: Type.Literal('text'), text: Type.String({ description: 'What is said.' }) })

/** A product as a search answered it. Nothing of a card is written by whoever thinks. */
export const ProductCard = Closed({
  id: Type.String({ description: 'The id under which the catalog has it.' }),
  title: Type.String(),
  merchant: Nullable(Type.String({ description: 'Who sells it.' })),
  url: Nullable(Type.String({ description: 'Its page.' })),
  amount: Nullable(Type.Integer({ description: 'What one costs, in minor units (1999 is $19.99).' })),
  currency: Nullable(Type.String()),
  options: Type.Array(Closed({ name: Type.String(), values: Type.Array(Type.String()) }), {
    description: 'What has to be chosen before it can be bought.',
  }),
  is_available: Type.Boolean(),
})
export type ProductCard = Static<typeof ProductCard>

const ProductList = Closed({
  type: Type.Literal('product_list'),
  products: Type.Array(ProductCard),
})

const Quote = Closed({ type: Type.Literal('quote'), quote_id: IdOf('quo'), status: Type.String() })

/** What stands before a button: what a person decides about. */
const PurchaseSummary = Closed({
  type: Type.Literal('purchase_intent'),
  purchase_intent_id: IdOf('pi', 'The purchase.'),
  status: Type.String({ description: 'Its status when this was said.' }),
  merchants: Type.Array(Type.String(), { description: 'The shops.' }),
  items: Type.Array(Closed({ title: Type.String(), quantity: Type.Integer() })),
  currency: Type.String(),
  expected_amount: Type.Integer({ description: 'What the items cost, in minor units (1999 is $19.99).' }),
  max_allowed_amount: Type.Integer({
    description: 'The most that can be charged, delivery and tax included.',
  }),
  actual_amount: Type.Integer({ description: 'What was charged until then.' }),
  delivery: Closed({ method: Type.String(), speed: Type.String(), address_id: Nullable(Type.String()) }),
  returns: Nullable(Type.String({ description: 'What the shop says about returns; null: it says nothing.' })),
  needs_person: Type.Boolean({ description: 'Whether a person has to do something before it goes on.' }),
  failure_code: Nullable(Type.String({ description: 'Why it failed; null: it did not.' })),
})
export type PurchaseSummary = Static<typeof PurchaseSummary>

const ActionRequest = Closed({
  type: Type.Literal('action_request'),
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
  type: Type.Literal('tool_call'),
  id: Type.String(),
  name: Type.String({ description: 'The operation that is called.' }),
  arguments: Type.Unknown(),
})

const ToolResult = Closed({
  type: Type.Literal('tool_result'),
  id: Type.String({ description: 'The call.' }),
  name: Type.String(),
  is_error: Type.Boolean(),
  result: Type.Unknown({ description: 'The answer of the operation.' }),
})

const Notice = Closed({
  type: Type.Literal('notice'),
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
