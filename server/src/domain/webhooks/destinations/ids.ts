import { defineIds } from '../../../contract/ids.ts'
import type { Id } from '../../../core/id.ts'

/** What the ids of this slice name. */
export const ids = defineIds({
  dest: { names: 'a destination' },
  dlv: { names: 'a delivery' },
})

declare module '../../../contract/context.ts' {
  interface Actors {
    destination: Id<'dest'>
  }
}

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
