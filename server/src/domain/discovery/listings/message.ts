import Type from 'typebox'
import { Closed, Named, OneOf } from '../../../contract/schemas.ts'

export const CatalogMessage = Named(
  'CatalogMessage',
  Closed(
    {
      type: OneOf(['info', 'warning'], { description: 'How much it matters.' }),
      code: Type.String({ description: 'What it is about, for programs.' }),
      content: Type.String({ description: 'What it is about, in a sentence.' }),
    },
    { description: 'Something to know about the answer.' },
  ),
)
