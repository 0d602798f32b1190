import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { archiveBusinessLocation } from './archive-location.ts'
import { createBusinessLocation } from './create-location.ts'
import { locationEvents } from './events.ts'
import { getBusinessLocation, listBusinessLocations } from './get-locations.ts'
import { updateBusinessLocation } from './update-location.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  loc: { names: 'a business location' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  location_archived: {
    status: 409,
    retryable: false,
    message: 'The business location is archived. Use another one.',
  },
  field_owned_by_provider: {
    status: 409,
    retryable: false,
    message: 'A connected provider owns this field. Change it there, or disconnect the provider first.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const locations = defineSlice({
  name: 'selling/locations',
  about: "Keeps the places that a merchant's goods leave from.",
  needs: ['accounts/api-keys'],
  tables: ['business_locations'],
  ids,
  problems,
  tags: {
    'Business locations': 'Where goods leave from or are picked up.',
  },
  events: locationEvents,
  operations: [
    createBusinessLocation,
    listBusinessLocations,
    getBusinessLocation,
    updateBusinessLocation,
    archiveBusinessLocation,
  ],
})
