import Type, { type Static } from 'typebox'

/** Objects of the protocol are open: what is not known is passed over. */
function Open<P extends Type.TProperties>(properties: P, description: string) {
  return Type.Object(properties, { additionalProperties: true, description })
}

const Maybe = (maxLength: number, description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength, description }), Type.Null()], { description }))
const Text = (maxLength: number, description: string) => Type.String({ maxLength, description })

const Buyer = Open(
  {
    full_name: Maybe(255, 'The whole name.'),
    first_name: Maybe(255, 'First name.'),
    last_name: Maybe(255, 'Last name.'),
    email: Type.Optional(Type.String({ format: 'email', maxLength: 254, description: 'E-mail address.' })),
    phone_number: Maybe(32, 'Phone number.'),
    consent: Type.Optional(
      Type.Record(Text(64, 'A purpose.'), Type.Boolean({ description: 'Whether the buyer agrees.' }), {
        maxProperties: 20,
        description: 'What the buyer agrees to.',
      }),
    ),
  },
  'Who buys.',
)

const Destination = Open(
  {
    id: Maybe(255, 'The id of the destination.'),
    full_name: Maybe(255, 'Who receives the goods.'),
    street_address: Maybe(255, 'Street and number.'),
    extended_address: Maybe(255, 'Apartment, floor or other addition.'),
    address_locality: Maybe(255, 'City.'),
    address_region: Maybe(255, 'State, province or region.'),
    postal_code: Maybe(32, 'Postal code.'),
    address_country: Maybe(2, 'ISO 3166-1 alpha-2 country code.'),
  },
  'Where goods may go.',
)

const Method = Open(
  {
    type: Maybe(64, 'The way of fulfillment: `shipping`.'),
    destinations: Type.Optional(
      Type.Array(Destination, { maxItems: 20, description: 'Where the goods may go.' }),
    ),
    selected_destination_id: Maybe(255, 'The destination that is chosen.'),
    groups: Type.Optional(
      Type.Array(
        Open({ selected_option_id: Maybe(255, 'The option that is chosen.') }, 'Goods that go together.'),
        {
          maxItems: 20,
          description: 'The chosen options.',
        },
      ),
    ),
  },
  'A way of fulfillment.',
)

/** A checkout of 2026-01-11. In an update, sections that are left out stay as they are. */
export const ConformanceBody = Open(
  {
    line_items: Type.Array(
      Open(
        {
          id: Maybe(255, 'The id of the line.'),
          item: Open({ id: Text(255, 'The name of the product.') }, 'What is bought.'),
          // Above what anybody sells here, so that it is answered as a lack of stock.
          quantity: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many units.' }),
        },
        'A line.',
      ),
      { minItems: 1, maxItems: 100, description: 'What is bought.' },
    ),
    currency: Maybe(3, 'The currency that the buyer prefers.'),
    buyer: Type.Optional(Buyer),
    fulfillment: Type.Optional(
      Open(
        {
          methods: Type.Optional(
            Type.Array(Method, { maxItems: 5, description: 'How the goods get to the buyer.' }),
          ),
        },
        'How the goods get to the buyer.',
      ),
    ),
    discounts: Type.Optional(
      Open(
        {
          codes: Type.Optional(
            Type.Array(Text(255, 'A code.'), { maxItems: 20, description: 'Discount codes.' }),
          ),
        },
        'Discounts.',
      ),
    ),
  },
  'A checkout.',
)
export type ConformanceBody = Static<typeof ConformanceBody>

const Instrument = Open(
  {
    id: Text(255, 'The id of the instrument.'),
    handler_id: Text(255, 'The id of the payment handler.'),
    credential: Type.Optional(
      Open(
        {
          type: Text(64, 'The kind of credential.'),
          token: Maybe(4096, 'The token.'),
          number: Maybe(32, 'The number of a test card.'),
        },
        'What pays. It is not kept.',
      ),
    ),
  },
  'What is paid with.',
)
export type ConformanceInstrument = Static<typeof Instrument>

export const PaymentBody = Open({ payment_data: Instrument }, 'How it is paid.')

const Quantity = Open(
  {
    id: Text(255, 'The id of the line.'),
    quantity: Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many units.' }),
  },
  'Units of a line.',
)
const Lines = Type.Optional(Type.Array(Quantity, { maxItems: 100, description: 'Which units.' }))

/** An order as a platform that reports on it sends it back. */
export const OrderBody = Open(
  {
    fulfillment: Type.Optional(
      Open(
        {
          events: Type.Optional(
            Type.Array(
              Open(
                {
                  id: Text(255, 'The id of the event.'),
                  type: Text(64, 'What happened.'),
                  line_items: Lines,
                  tracking_number: Maybe(255, "The carrier's number."),
                  tracking_url: Maybe(2048, 'Where it can be followed. Only https addresses are kept.'),
                },
                'Something that happened to the goods.',
              ),
              { maxItems: 100, description: 'What happened to the goods.' },
            ),
          ),
        },
        'How the goods get to the buyer.',
      ),
    ),
    adjustments: Type.Optional(
      Type.Array(
        Open(
          {
            id: Text(255, 'The id of the adjustment.'),
            type: Text(64, 'What it is: `refund`.'),
            status: Type.Union([Type.Literal('pending'), Type.Literal('completed'), Type.Literal('failed')], {
              description: 'How far it is.',
            }),
            amount: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: 1_000_000_000_000,
                description: 'How much, in minor units.',
              }),
            ),
            line_items: Lines,
            description: Maybe(500, 'Why.'),
          },
          'A change of what was paid.',
        ),
        { maxItems: 100, description: 'Changes of what was paid.' },
      ),
    ),
  },
  'An order.',
)
export type OrderBody = Static<typeof OrderBody>

/** Answers have the form of the protocol's own schemas of that release. */
export const ConformanceAnswer = Type.Object(
  { id: Type.String({ description: 'The id of the checkout or the order.' }) },
  { additionalProperties: true, description: 'A checkout or an order.' },
)
