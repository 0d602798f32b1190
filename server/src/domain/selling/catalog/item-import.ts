import type { Static } from 'typebox'
import { Changes, IdParam, OneOf } from '../../../contract/schemas.ts'
import { type Item, ItemFields } from './item.ts'

/** An item as files have it: the fields that a caller writes, which item it is, and whether it is to be published. */
export const ItemImport = Changes({
  id: IdParam('An item of this catalog. Without it, or if it is unknown, the handle says which.', 'cat'),
  status: OneOf(['draft', 'published'], {
    description: '`published` publishes the item; `draft` leaves its status as it is.',
  }),
  ...ItemFields,
})
export type ItemImport = Static<typeof ItemImport>

/** An item as an export writes it: importing it changes nothing. */
export function exportedItem(row: Item): ItemImport {
  return {
    id: row.id,
    status: row.status === 'published' ? 'published' : 'draft',
    handle: row.handle,
    title: row.title,
    description: row.description,
    url: row.url,
    item_type: row.item_type,
    categories: row.categories,
    media: row.media,
    options: row.options,
    variants: row.variants,
    required_inputs: row.required_inputs,
    metadata: row.metadata,
  }
}
