import type { Operation } from '../../../contract/operation.ts'
import { createOnboardingLink } from './create-onboarding-link.ts'
import { getOnboardingLink, listOnboardingLinks } from './get-onboarding-links.ts'
import { revokeOnboardingLink } from './revoke-onboarding-link.ts'

export const onboardingLinkOperations: readonly Operation[] = [
  createOnboardingLink,
  listOnboardingLinks,
  getOnboardingLink,
  revokeOnboardingLink,
]
