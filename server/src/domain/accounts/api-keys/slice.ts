import { ids } from './ids.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { selectAgentOfIds } from './api-keys.sql.ts'
import { accountEvents } from './events.ts'

export const apiKeys = defineSlice({
  name: 'accounts/api-keys',
  needs: [],
  ids,
  events: accountEvents,
  ownIds: part(selectAgentOfIds, []),
})
