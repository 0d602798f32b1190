import { defineSlice } from '../../../platform/slices/slice.ts'
import { onboardingLinkEvents } from './events.ts'
import { onboardingPages } from './onboarding-pages.ts'
import { onboardingLinkOperations } from './operations.ts'
import { onboardingWork } from './work.ts'

export const onboardingLinks = defineSlice({
  name: 'buyers/onboarding-links',
  needs: ['accounts/api-keys', 'buyers/profiles'],
  events: onboardingLinkEvents,
  operations: onboardingLinkOperations,
  work: () => [onboardingWork],
  queues: [{ kind: 'onboarding_links', table: 'onboarding_links' }],
  pages: onboardingPages,
})
