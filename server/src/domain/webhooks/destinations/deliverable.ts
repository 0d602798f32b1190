import { Problem } from '../../../contract/problem.ts'
import type { DestinationStatus } from './destination.ts'

/** Throws the refusal for a destination to which nothing is sent. */
export function assertDeliverable({ status }: { status: DestinationStatus }): void {
  if (status === 'archived') throw new Problem('destination_archived')
  if (status === 'disabled') throw new Problem('destination_disabled')
}
