import { OneOf } from '../../../contract/schemas.ts'
import type { ElementRight } from '../../../platform/doors/element-door.ts'

/** What each component is let do in its session. */
const rights = {
  AddPaymentMethod: ['write'],
} as const satisfies Record<string, readonly ElementRight[]>

export type ComponentName = keyof typeof rights

export const Component = OneOf(Object.keys(rights) as ComponentName[], {
  description: 'The component that the page shows.',
})

export function rightsOf(component: ComponentName): ElementRight[] {
  return [...rights[component]]
}
