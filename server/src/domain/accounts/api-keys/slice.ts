import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { selectAgentOfIds } from './api-keys.sql.ts'

export const apiKeys = defineSlice({
  name: 'accounts/api-keys',
  needs: [],
  ownIds: part(selectAgentOfIds, []),
})
