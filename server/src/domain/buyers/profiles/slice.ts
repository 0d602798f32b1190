import { defineSlice } from '../../../platform/slices/slice.ts'
import { profileOperations } from './operations.ts'

export const profiles = defineSlice({
  name: 'buyers/profiles',
  needs: [],
  operations: profileOperations,
})
