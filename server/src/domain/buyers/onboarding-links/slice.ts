import { defineIds } from '../../../contract/ids.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { onboardingLinkEvents } from './events.ts'
import { onboardingPages } from './onboarding-pages.ts'
import { onboardingLinkOperations } from './operations.ts'
import { problems } from './problems.ts'
import { onboardingWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  onb: { names: 'an onboarding link' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const onboardingLinks = defineSlice({
  name: 'buyers/onboarding-links',
  about: 'Sends a person a form, by a link that opens once, to fill in or change a profile.',
  needs: ['accounts/api-keys', 'buyers/profiles'],
  tables: ['onboarding_links'],
  ids,
  problems,
  tags: {
    'Onboarding links':
      'Links to a hosted page where a person fills in a new profile or changes an existing one.',
  },
  events: onboardingLinkEvents,
  operations: onboardingLinkOperations,
  work: () => [onboardingWork],
  queues: [{ kind: 'onboarding_links', table: 'onboarding_links' }],
  pages: onboardingPages,
})
