import { defineSlice } from '../../../platform/slices/slice.ts'
import { profileEvents } from './events.ts'
import { profileOperations } from './operations.ts'

export const profiles = defineSlice({
  name: 'buyers/profiles',
  needs: [],
  events: profileEvents,
  operations: profileOperations,
})
