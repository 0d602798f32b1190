import Type, { type Static } from 'typebox'

/** Objects of the protocol are open: extensions add members, and what is not known is passed over. */
function Open<P extends Type.TProperties>(properties: P, description: string) {
  return Type.Object(properties, { additionalProperties: true, description })
}

const Text = (maxLength: number, description: string) => Type.String({ maxLength, description })
const Maybe = (maxLength: number, description: string) => Type.Optional(Text(maxLength, description))

const Buyer = Open(
  {
    first_name: Maybe(255, 'First name.'),
    last_name: Maybe(255, 'Last name.'),
    email: Type.Optional(Type.String({ format: 'email', maxLength: 254, description: 'E-mail address.' })),
    phone_number: Maybe(32, 'Phone number in E.164 form.'),
  },
  'Who buys.',
)

const Destination = Open(
  {
    id: Maybe(255, 'The id of the destination.'),
    first_name: Maybe(255, 'First name of the person who receives the goods.'),
    last_name: Maybe(255, 'Last name of that person.'),
    street_address: Maybe(255, 'Street and number.'),
    extended_address: Maybe(255, 'Apartment, floor or other addition.'),
    address_locality: Maybe(255, 'City.'),
    address_region: Maybe(255, 'State, province or region.'),
    postal_code: Maybe(32, 'Postal code.'),
    address_country: Maybe(2, 'ISO 3166-1 alpha-2 country code.'),
  },
  'Where goods may go.',
)

const LineIds = Type.Optional(
  Type.Array(Text(255, 'The id of a line item.'), {
    maxItems: 100,
    description: 'The line items that it is for.',
  }),
)

const Group = Open(
  {
    id: Maybe(255, 'The id of the group.'),
    line_item_ids: LineIds,
    selected_option_id: Type.Optional(
      Type.Union([Text(255, 'The option that is chosen.'), Type.Null()], {
        description: 'The option that is chosen.',
      }),
    ),
  },
  'Goods that go together.',
)

const Method = Open(
  {
    type: Maybe(64, 'The way of fulfillment: `shipping`.'),
    line_item_ids: LineIds,
    destinations: Type.Optional(
      Type.Array(Destination, { maxItems: 20, description: 'Where the goods may go.' }),
    ),
    selected_destination_id: Type.Optional(
      Type.Union([Text(255, 'The destination that is chosen.'), Type.Null()], {
        description: 'The destination that is chosen.',
      }),
    ),
    groups: Type.Optional(Type.Array(Group, { maxItems: 20, description: 'The chosen options.' })),
  },
  'A way of fulfillment.',
)

const Line = Open(
  {
    id: Maybe(255, 'The id of the line.'),
    item: Open({ id: Text(255, 'The id of the variant.') }, 'What is bought.'),
    quantity: Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many units.' }),
  },
  'A line.',
)

/** A checkout as a platform sends it: the whole of it, each time. */
export const CheckoutBody = Open(
  {
    line_items: Type.Array(Line, { minItems: 1, maxItems: 100, description: 'What is bought.' }),
    buyer: Type.Optional(Buyer),
    context: Type.Optional(
      Open(
        { currency: Maybe(3, 'The currency that the buyer prefers.') },
        'What is known of the buyer. It is a hint.',
      ),
    ),
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
    attribution: Type.Optional(
      Type.Record(Text(100, 'A name.'), Text(500, 'A value.'), {
        maxProperties: 50,
        description: 'What the platform wants to find again. It changes nothing.',
      }),
    ),
  },
  'A checkout.',
)
export type CheckoutBody = Static<typeof CheckoutBody>

/** Of a cart the goods are known, so that they may be left out: an empty list is how the protocol's own page writes it. */
export const NewCheckoutBody = Open(
  {
    ...CheckoutBody.properties,
    cart_id: Maybe(64, 'The cart that becomes a checkout. What the cart says wins.'),
    line_items: Type.Optional(
      Type.Array(Line, { maxItems: 100, description: 'What is bought; with `cart_id` it is passed over.' }),
    ),
  },
  'A new checkout.',
)

const Instrument = Open(
  {
    id: Text(255, 'The id of the instrument.'),
    handler_id: Text(255, 'The id of the payment handler, as the checkout names it.'),
    type: Text(64, 'The kind of instrument.'),
    selected: Type.Optional(Type.Boolean({ description: 'Whether it is the one to pay with.' })),
    credential: Type.Optional(
      Open(
        { type: Text(64, 'The kind of credential.'), token: Maybe(4096, 'The token.') },
        'What pays. It is not kept.',
      ),
    ),
  },
  'What is paid with.',
)

export const CompleteBody = Open(
  {
    payment: Open(
      {
        instruments: Type.Array(Instrument, {
          minItems: 1,
          maxItems: 10,
          description: 'One instrument, or several with one selected.',
        }),
      },
      'The payment.',
    ),
  },
  'How it is paid.',
)
export type PaymentInstrument = Static<typeof Instrument>

const Member = Type.Object({}, { additionalProperties: true })

/** Answers have the form of the protocol's own schemas, against which tests hold them; the surface adds what was negotiated. */
export const CheckoutAnswerBody = Type.Object(
  {
    ucp: Type.Optional(Member),
    id: Type.Optional(Type.String({ description: 'The id of the checkout.' })),
    messages: Type.Optional(
      Type.Array(Member, { description: 'What is missing, and what there is to know.' }),
    ),
  },
  { additionalProperties: true, description: 'A checkout, or why there is none.' },
)
