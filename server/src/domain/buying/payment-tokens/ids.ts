import { defineIds } from '../../../contract/ids.ts'

/** What the ids of this slice name. */
export const ids = defineIds({
  tok: { names: 'a payment token', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
