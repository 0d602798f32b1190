import { defineIds } from '../../../contract/ids.ts'

/** What the ids of this slice name. */
export const ids = defineIds({
  pi: { names: 'a purchase intent' },
  item: { names: 'an item of a purchase', isOpen: true },
  cart: { names: 'a cart', isOpen: true },
  att: { names: 'an attempt of a cart' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
