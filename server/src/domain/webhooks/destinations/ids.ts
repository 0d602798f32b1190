import { defineIds } from '../../../contract/ids.ts'

/** What ids here name. */
export const ids = defineIds({
  dest: { names: 'a destination' },
  dlv: { names: 'a delivery' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
