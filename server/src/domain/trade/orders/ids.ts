import { defineIds } from '../../../contract/ids.ts'

/** What the ids of this slice name. */
export const ids = defineIds({
  ord: { names: 'an order' },
  ful: { names: 'a fulfillment' },
  rfd: { names: 'a refund' },
  ret: { names: 'a return' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
