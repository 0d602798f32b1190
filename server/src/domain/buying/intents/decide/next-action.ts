import Type, { type Static } from 'typebox'
import { At, Closed, IdOf, Named, Nullable, OneOf } from '../../../../contract/schemas.ts'
import { InputField } from './input-field.ts'

export const nextActionTypes = [
  'approve',
  'select_payment_method',
  'merchant_sign_in',
  'verify_payment',
  'provide_input',
  'reapprove_price',
  'resolve_unknown_outcome',
] as const

export const NextAction = Named(
  'NextAction',
  Closed(
    {
      type: OneOf(nextActionTypes, { description: 'What a person must do.' }),
      method: Type.Optional(
        OneOf(['cvc', 'otp', 'passkey', 'popup'], {
          description: 'With `verify_payment`: how the person proves it.',
        }),
      ),
      fields: Type.Optional(
        Type.Array(InputField, { description: 'With `provide_input`: what is missing.' }),
      ),
      cart_id: Type.Optional(IdOf('cart', 'The cart it is about, if it is about one.')),
      // Actions from before this field existed do not have it.
      merchant_domain: Type.Optional(
        Type.String({
          description: 'With a sign-in or its code: the host of the shop that asks. Show it to the person.',
          examples: ['account.shop.example'],
        }),
      ),
      proposal: Type.Optional(
        Closed(
          {
            items: Type.Array(
              Closed({
                id: IdOf('item', 'The id of the item.'),
                unit_amount: Type.Integer({
                  description:
                    'What one unit costs now, before tax and fulfillment, in minor units (1999 is $19.99).',
                }),
              }),
              { description: 'The items with their new prices.' },
            ),
            expected_amount: Type.Integer({
              description:
                'What all items cost together now, before tax and fulfillment, in minor units (1999 is $19.99).',
            }),
            max_allowed_amount: Type.Integer({
              description:
                'The most that could be charged for the purchase in all, once approved, in minor units (1999 is $19.99).',
            }),
          },
          { description: 'With `reapprove_price`: the price that is asked now.' },
        ),
      ),
      element: Nullable(
        Type.String({ description: 'The hosted component that does this; null if none does.' }),
      ),
      // Actions from before this field existed, and those for which there is no page, do not have it.
      url: Type.Optional(
        Type.String({
          description:
            'A page on which the person does it. By itself it approves nothing. With a `verify_payment` that names a cart it is the page of their bank or wallet.',
          examples: ['https://elements.example.com/elements/v1/approve#pr_al_test_…'],
        }),
      ),
      expires_at: Nullable(At('Until when it can be done; null if there is no limit.')),
    },
    { description: 'What a person must do before a purchase goes on.' },
  ),
)
export type NextAction = Static<typeof NextAction>
