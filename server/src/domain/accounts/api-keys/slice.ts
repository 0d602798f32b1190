import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { selectAgentOfIds } from './api-keys.sql.ts'
import { accountEvents } from './events.ts'

export const apiKeys = defineSlice({
  name: 'accounts/api-keys',
  needs: [],
  events: accountEvents,
  ownIds: part(selectAgentOfIds, []),
})
