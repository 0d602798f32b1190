import { defineIds } from '../../../contract/ids.ts'

/** What the ids of this slice name. */
export const ids = defineIds({
  sal: { names: 'a sale to a buyer without an account', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
