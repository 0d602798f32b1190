import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { OnboardingLink } from './link.ts'

const onboardingLinkEvent = defineEvent<OnboardingLink>()

/** The events of this slice. */
export const onboardingLinkEvents = {
  'onboarding_link.created': onboardingLinkEvent({ summary: 'An onboarding link was created.' }),
  'onboarding_link.opened': onboardingLinkEvent({ summary: 'A person opened an onboarding link.' }),
  'onboarding_link.completed': onboardingLinkEvent({
    summary: 'A person sent the form of an onboarding link.',
  }),
  'onboarding_link.revoked': onboardingLinkEvent({ summary: 'An onboarding link was revoked.' }),
  'onboarding_link.expired': onboardingLinkEvent({ summary: 'The time of an onboarding link is up.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof onboardingLinkEvents> {}
}
