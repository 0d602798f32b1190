export { onboardingPages } from './onboarding-pages.ts'
