import { defineIds } from '../../../contract/ids.ts'

/** What ids here name. */
export const ids = defineIds({
  prof: { names: 'a profile' },
  addr: { names: 'an address of a profile', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
