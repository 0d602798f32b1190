import { isObject } from '../../../schema/schema-node.ts'
import type { ChatPart } from '../parts.ts'
import type { ModelTool, ToolCall } from '../port.ts'
import { productList } from './answer-parts.ts'
import type { ToolAnswer } from './tools.ts'

/** By it, a model shows products: it names ids, and code makes the cards. */
export const showProductsTool: ModelTool = {
  name: 'show_products',
  description:
    'Shows products to the person as cards with their picture, shop and price. Call it with ids that a search in this chat has answered; do not repeat what a card says.',
  inputSchema: {
    type: 'object',
    properties: {
      ids: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: 10,
        description: 'The ids, in the order to show.',
      },
    },
    required: ['ids'],
    additionalProperties: false,
  },
}

/** What the call shows, and what a model is told of it. */
export function showProducts(
  { args }: ToolCall,
  parts: readonly ChatPart[],
): { shown: ChatPart[]; answer: ToolAnswer } {
  const ids = isObject(args) && Array.isArray(args.ids) ? args.ids.filter((id) => typeof id === 'string') : []
  const shown = productList(ids, parts)
  const known = shown.flatMap((part) =>
    part.type === 'product_list' ? part.products.map(({ id }) => id) : [],
  )
  const unknown = ids.filter((id) => !known.includes(id))
  return { shown, answer: { isError: known.length === 0, result: { shown: known, unknown } } }
}
