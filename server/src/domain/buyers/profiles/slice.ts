import { defineSlice } from '../../../platform/slices/slice.ts'
import { profileEvents } from './events.ts'
import { ids } from './ids.ts'
import { profileOperations } from './operations.ts'

export const profiles = defineSlice({
  name: 'buyers/profiles',
  needs: [],
  ids,
  tags: {
    Profiles: 'The people and businesses you buy for: who is billed and where goods are shipped.',
  },
  events: profileEvents,
  operations: profileOperations,
})
