import Type, { type Static } from 'typebox'
import { Closed, CountryCode, CurrencyCode, Described, Named, Text } from '../../../contract/schemas.ts'

const Maybe = (maxLength: number, description: string) => Type.Optional(Text(maxLength, { description }))

/** What a payer wants to order. Quotes take the same, so that a quote can be ordered as it is. */
export const OrderRequest = Named(
  'PaidOrderRequest',
  Closed(
    {
      items: Type.Array(
        Closed(
          {
            variant_id: Text(255, { description: 'The id of the variant, as the catalog shows it.' }),
            quantity: Type.Optional(
              Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many units. Default: 1.' }),
            ),
          },
          { description: 'One line.' },
        ),
        { minItems: 1, maxItems: 100, description: 'What is ordered.' },
      ),
      currency: Type.Optional(
        Described(CurrencyCode, 'The currency to pay in. Default: that of the first item.'),
      ),
      buyer: Type.Optional(
        Closed(
          {
            email: Type.String({ format: 'email', maxLength: 254, description: 'E-mail address.' }),
            name: Maybe(255, 'First and last name.'),
            phone: Maybe(32, 'Phone number in E.164 form.'),
          },
          { description: 'Who it is for. An order needs it.' },
        ),
      ),
      shipping_address: Type.Optional(
        Closed(
          {
            recipient_name: Maybe(255, "Who receives it. Default: the buyer's name."),
            line1: Text(255, { description: 'Street and number.' }),
            line2: Maybe(255, 'Apartment, floor or other addition.'),
            city: Text(255, { description: 'City.' }),
            state: Maybe(255, 'State, province or region.'),
            postal_code: Maybe(32, 'Postal code.'),
            country: Described(CountryCode, 'ISO 3166-1 alpha-2 country code.'),
          },
          { description: 'Where goods are sent to. Goods that are sent need it.' },
        ),
      ),
      shipping_option_id: Maybe(255, 'One of the options of a quote. Default: the cheapest.'),
      attribution_token: Maybe(
        200,
        'The token of a search in which the goods were found. An invalid one changes nothing.',
      ),
    },
    { description: 'What is ordered, for whom, and where it goes.' },
  ),
)
export type OrderRequest = Static<typeof OrderRequest>
