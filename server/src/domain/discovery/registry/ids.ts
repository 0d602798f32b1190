import { defineIds } from '../../../contract/ids.ts'

/** What the ids of this slice name. */
export const ids = defineIds({
  reg: { names: 'an entry of the registry', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
