import Type, { type Static } from 'typebox'
import { Closed, Text } from '../../../../contract/schemas.ts'
import { atLeastOne, Ruled } from '../../../../schema/rules.ts'

/** Which variant of the product: by its id, its SKU, or the chosen options. */
export const ItemVariant = Ruled(
  Closed(
    {
      id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: "The shop's id of the variant." }),
      ),
      sku: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: "The shop's SKU of the variant." }),
      ),
      selections: Type.Optional(
        Type.Array(
          Closed({
            name: Text(255, { description: 'The option, such as Size.' }),
            value: Text(255, { description: 'The choice, such as M.' }),
          }),
          { minItems: 1, maxItems: 20, description: 'What was chosen for each option.' },
        ),
      ),
    },
    { minProperties: 1 },
  ),
  {},
  [atLeastOne({ id: 'string', sku: 'string', selections: 'array' })],
)
export type ItemVariant = Static<typeof ItemVariant>
