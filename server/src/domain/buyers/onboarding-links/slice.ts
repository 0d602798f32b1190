import { defineSlice } from '../../../platform/slices/slice.ts'
import { onboardingLinkEvents } from './events.ts'
import { ids } from './ids.ts'
import { onboardingPages } from './onboarding-pages.ts'
import { onboardingLinkOperations } from './operations.ts'
import { onboardingWork } from './work.ts'

export const onboardingLinks = defineSlice({
  name: 'buyers/onboarding-links',
  needs: ['accounts/api-keys', 'buyers/profiles'],
  ids,
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
