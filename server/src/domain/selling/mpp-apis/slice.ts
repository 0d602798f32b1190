import { defineSlice } from '../../../platform/slices/slice.ts'
import { mppApiEvents } from './events.ts'
import { ids } from './ids.ts'
import { mppApiOperations } from './operations.ts'
import { problems } from './problems.ts'

export const mppApis = defineSlice({
  name: 'selling/mpp-apis',
  about: 'Keeps the paid APIs that a merchant runs at its own domain, so that payers find them.',
  needs: ['accounts/api-keys', 'selling/merchant'],
  ids,
  problems,
  tags: {
    'MPP APIs': 'Paid APIs that a merchant runs at its own domain.',
  },
  events: mppApiEvents,
  operations: mppApiOperations,
})
