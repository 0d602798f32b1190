import { defineSlice } from '../../../platform/slices/slice.ts'

export const sources = defineSlice({
  name: 'discovery/sources',
  about: 'Asks catalogs of others, each within its time and size.',
  needs: [],
})
