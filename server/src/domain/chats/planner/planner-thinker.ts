import type { Thinker } from '../runner/thinker.ts'
import { plan } from './plan.ts'

/** The planner answers by rules: at once, and without asking anybody. */
export const plannerThinker: Thinker = {
  name: 'planner',
  isSlow: false,
  // What it needs of earlier ones, it remembers.
  messagesMax: 6,
  think: async (thread) => plan(thread),
}
