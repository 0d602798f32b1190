import Type, { type Static } from 'typebox'
import { Amount } from '../../../contract/schemas.ts'

/** Objects of the protocol are open: extensions add members, and what is not known is passed over. */
function Open<P extends Type.TProperties>(properties: P, description: string) {
  return Type.Object(properties, { additionalProperties: true, description })
}

const Text = (maxLength: number, description: string) => Type.String({ maxLength, description })

const Context = Open(
  { currency: Type.Optional(Text(3, 'The currency in which prices are filtered.')) },
  'What is known of the buyer. It is a hint.',
)

const Filters = Open(
  {
    categories: Type.Optional(
      Type.Array(Text(255, 'A category.'), { maxItems: 20, description: 'Any of these categories.' }),
    ),
    price: Type.Optional(
      Open(
        {
          min: Type.Optional(Amount('The lowest price, in minor units.')),
          max: Type.Optional(Amount('The highest price, in minor units.')),
        },
        'A price in `context.currency`; without a currency it is passed over.',
      ),
    ),
  },
  'All of them must hold.',
)

/** What every request of the catalog may say. */
const shared = {
  context: Type.Optional(Context),
  filters: Type.Optional(Filters),
  signals: Type.Optional(Open({}, 'What the platform has observed.')),
  attribution: Type.Optional(Open({}, 'Where the buyer comes from. It changes no answer.')),
}

export const SearchRequest = Open(
  {
    query: Type.Optional(Text(255, 'Words to find. Spelling mistakes are forgiven.')),
    ...shared,
    pagination: Type.Optional(
      Open(
        {
          limit: Type.Optional(Type.Integer({ minimum: 1, description: 'How many products; at most 50.' })),
          cursor: Type.Optional(Text(1000, 'The cursor of the page before.')),
        },
        'Which page.',
      ),
    ),
  },
  'What to look for.',
)

export const LookupRequest = Open(
  {
    ids: Type.Array(Text(2048, 'The id of a product or a variant, a SKU, a barcode, a handle or a URL.'), {
      minItems: 1,
      description: 'What to look up.',
    }),
    ...shared,
  },
  'What to look up.',
)

const SelectedOption = Open(
  { name: Text(255, 'The name of the option.'), label: Text(255, 'What is chosen.') },
  'A choice.',
)

export const ProductRequest = Open(
  {
    id: Text(2048, 'The id of a product or a variant.'),
    selected: Type.Optional(
      Type.Array(SelectedOption, { maxItems: 20, description: 'What the buyer has chosen so far.' }),
    ),
    preferences: Type.Optional(
      Type.Array(Text(255, 'The name of an option.'), {
        maxItems: 20,
        description: 'The options, the most important first.',
      }),
    ),
    ...shared,
  },
  'Which product.',
)

export type Filtered = Static<typeof LookupRequest>

/** The price filter, where it can be compared. */
export function priceOf({ context, filters }: Pick<Filtered, 'context' | 'filters'>) {
  const currency = context?.currency?.toUpperCase()
  const { price } = filters ?? {}
  if (price === undefined || currency === undefined || !/^[A-Z]{3}$/.test(currency)) return undefined
  const { min, max } = price
  return { currency, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
}
