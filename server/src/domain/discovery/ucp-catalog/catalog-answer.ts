import Type from 'typebox'

/** Answers have the form of the protocol's own schemas, against which tests hold them; the surface adds what was negotiated. */
const Member = Type.Object({}, { additionalProperties: true })

const Messages = Type.Optional(Type.Array(Member, { description: 'What there is to know about the answer.' }))

export const ProductsAnswer = Type.Object(
  {
    products: Type.Array(Member, { description: 'What was found.' }),
    pagination: Type.Optional(Member),
    messages: Messages,
  },
  { additionalProperties: false, description: 'Products.' },
)

export const ProductAnswer = Type.Object(
  {
    ucp: Type.Optional(Type.Object({ status: Type.Literal('error') })),
    product: Type.Optional(Member),
    messages: Messages,
  },
  { additionalProperties: false, description: 'A product, or why there is none.' },
)
