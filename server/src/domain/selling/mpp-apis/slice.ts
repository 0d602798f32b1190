import { defineIds } from '../../../contract/ids.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { mppApiEvents } from './events.ts'
import { mppApiOperations } from './operations.ts'
import { problems } from './problems.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  mapi: { names: 'a custom MPP API' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const mppApis = defineSlice({
  name: 'selling/mpp-apis',
  about: 'Keeps the paid APIs that a merchant runs at its own domain, so that payers find them.',
  needs: ['accounts/api-keys', 'selling/merchant'],
  tables: ['mpp_apis'],
  ids,
  problems,
  tags: {
    'MPP APIs': 'Paid APIs that a merchant runs at its own domain.',
  },
  events: mppApiEvents,
  operations: mppApiOperations,
})
