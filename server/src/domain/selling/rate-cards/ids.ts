import { defineIds } from '../../../contract/ids.ts'

/** What ids here name. */
export const ids = defineIds({
  rc: { names: 'a rate card' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
