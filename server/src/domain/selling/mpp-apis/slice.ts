import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { archiveMppApi } from './archive-mpp-api.ts'
import { createMppApi } from './create-mpp-api.ts'
import { mppApiEvents } from './events.ts'
import { getMppApi, listMppApis } from './get-mpp-apis.ts'
import { updateMppApi } from './update-mpp-api.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  mapi: { names: 'a custom MPP API' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  mpp_api_archived: {
    status: 409,
    retryable: false,
    message: 'The custom MPP API is archived. Create another one.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const mppApis = defineSlice({
  name: 'selling/mpp-apis',
  about: 'Keeps the paid APIs that a merchant runs at its own domain, so that payers find them.',
  needs: ['accounts/api-keys', 'selling/merchant'],
  tables: ['mpp_apis'],
  ids,
  problems,
  tags: {
    'MPP APIs': 'Paid APIs that a merchant runs at its own domain.',
  },
  events: mppApiEvents,
  operations: [createMppApi, listMppApis, getMppApi, updateMppApi, archiveMppApi],
})
