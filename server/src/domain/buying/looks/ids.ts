import { defineIds } from '../../../contract/ids.ts'

/** What the ids of this slice name. */
export const ids = defineIds({
  look: { names: 'a look at a shop' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
