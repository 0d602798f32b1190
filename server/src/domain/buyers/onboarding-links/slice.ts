import { defineSlice } from '../../../platform/slices/slice.ts'
import { onboardingPages } from './onboarding-pages.ts'
import { onboardingLinkOperations } from './operations.ts'
import { onboardingWork } from './work.ts'

export const onboardingLinks = defineSlice({
  name: 'buyers/onboarding-links',
  needs: ['buyers/profiles'],
  operations: onboardingLinkOperations,
  work: () => [onboardingWork],
  queues: [{ kind: 'onboarding_links', table: 'onboarding_links' }],
  pages: onboardingPages,
})
