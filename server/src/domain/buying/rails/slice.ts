import { defineSlice } from '../../../platform/slices/slice.ts'
import { confirmedPage } from './confirmed-page.ts'

export const rails = defineSlice({
  name: 'buying/rails',
  about:
    'Says what a payment rail is, holds calls to one that fails back, and compares what it holds with our rows.',
  needs: [],
  pages: () => [confirmedPage],
})
