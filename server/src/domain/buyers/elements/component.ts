import { OneOf } from '../../../contract/schemas.ts'
import type { ElementRight } from '../../../platform/doors/element-door.ts'

type ComponentFacts = {
  /** What it does in its session. */
  readonly does: readonly ElementRight[]
  /** What of that a page may have without a secret of its server, where its key asks for one. */
  readonly openly: readonly ElementRight[]
  /** What it can be opened for. */
  readonly subjects: readonly SubjectField[]
}

export type SubjectField = 'profile_id' | 'purchase_intent_id'

const components = {
  AddPaymentMethod: { does: ['write'], openly: ['write'], subjects: ['profile_id'] },
  AddOrSelectPaymentMethod: {
    does: ['write', 'read'],
    openly: ['write'],
    subjects: ['profile_id', 'purchase_intent_id'],
  },
  // It signs in for its purchase, which is no right over cards.
  MerchantAuthHandoff: { does: [], openly: [], subjects: ['purchase_intent_id'] },
} as const satisfies Record<string, ComponentFacts>

export type ComponentName = keyof typeof components

export const Component = OneOf(Object.keys(components) as ComponentName[], {
  description: 'The component that the page shows.',
})

export function rightsOf(component: ComponentName, isOpen: boolean): ElementRight[] {
  const { does, openly }: ComponentFacts = components[component]
  return [...(isOpen ? openly : does)]
}

export function takes(component: ComponentName, subject: SubjectField): boolean {
  const { subjects }: ComponentFacts = components[component]
  return subjects.includes(subject)
}
