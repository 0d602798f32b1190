import type { ActingPerson, CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'

/** The person who calls an operation that only people call. */
export function requirePerson({ person }: Pick<CallContext, 'person'>): ActingPerson {
  if (person === null) throw new Problem('unauthorized')
  return person
}
