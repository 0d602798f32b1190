import { defineIds } from '../../../contract/ids.ts'

/** What ids here name. */
export const ids = defineIds({
  ord: { names: 'an order' },
  ful: { names: 'a fulfillment' },
  rfd: { names: 'a refund' },
  ret: { names: 'a return' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}
