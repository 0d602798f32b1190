import Type, { type Static } from 'typebox'
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

type Message = Static<typeof CatalogMessage>

export const nothingFound: Message = {
  type: 'info',
  code: 'nothing_found',
  content: 'No product has all of the words and fits all filters. Leave out a word or a filter.',
}

export function correctedWord({ word, instead }: { word: string; instead: readonly string[] }): Message {
  const others = instead.map((one) => `"${one}"`).join(', ')
  const content = `Nothing was found with "${word}". Searched for ${others} as well.`
  return { type: 'info', code: 'query_corrected', content }
}
