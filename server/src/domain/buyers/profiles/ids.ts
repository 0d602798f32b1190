import { defineIds } from '../../../contract/ids.ts'

/** What the ids of this slice name. */
export const ids = defineIds({
  prof: { names: 'a profile' },
  addr: { names: 'an address of a profile', isOpen: true },
})

declare module '../../../contract/ids.ts' {
  interface ProfilePrefixes extends Record<'prof', string> {}
}

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
