import { defineSlice } from '../../../platform/slices/slice.ts'
import { profileEvents } from './events.ts'
import { ids } from './ids.ts'
import { profileOperations } from './operations.ts'
import { problems } from './problems.ts'
import { scopes } from './scopes.ts'

export const profiles = defineSlice({
  name: 'buyers/profiles',
  about: 'Keeps the people and companies that are bought for, with their addresses.',
  needs: [],
  ids,
  scopes,
  problems,
  tags: {
    Profiles: 'The people and businesses you buy for: who is billed and where goods are shipped.',
  },
  events: profileEvents,
  operations: profileOperations,
})
