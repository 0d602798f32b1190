import { defineIds } from '../../../contract/ids.ts'

/** What the ids of this slice name. */
export const ids = defineIds({
  crt: { names: 'a cart of a platform', isOpen: true },
  cko: { names: 'a checkout of a platform', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
