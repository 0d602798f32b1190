import { addingStates } from './adding-states.ts'
import { choosingStates } from './choosing-states.ts'
import { approvalStates, windowStates } from './page-states.ts'
import { signInStates } from './sign-in-states.ts'
import type { ShownState } from './stage.ts'

/** Everything that a person can come to see of components and pages. */
export const shownStates: readonly ShownState[] = [
  ...addingStates,
  ...choosingStates,
  ...signInStates,
  ...approvalStates,
  ...windowStates,
]
