import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { createOnboardingLink } from './create-onboarding-link.ts'
import { onboardingLinkEvents } from './events.ts'
import { getOnboardingLink, listOnboardingLinks } from './get-onboarding-links.ts'
import { onboardingPages } from './onboarding-pages.ts'
import { revokeOnboardingLink } from './revoke-onboarding-link.ts'
import { onboardingWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  onb: { names: 'an onboarding link' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  onboarding_link_used: {
    status: 409,
    retryable: false,
    message: 'The form of this onboarding link has been sent. Create another link.',
  },
  onboarding_link_expired: {
    status: 409,
    retryable: false,
    message: 'The onboarding link has expired. Create another link.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
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
  operations: [createOnboardingLink, listOnboardingLinks, getOnboardingLink, revokeOnboardingLink],
  work: () => [onboardingWork],
  queues: [{ kind: 'onboarding_links', table: 'onboarding_links' }],
  pages: onboardingPages,
})
