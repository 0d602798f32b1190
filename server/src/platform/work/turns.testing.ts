import type { Running } from './turns.ts'
import { type ClaimTurn, Load, Turns } from './turns.ts'

/** A claim of a process that has these under way, with as many places free as it asks for. */
export function turnOf(limit: number, running: readonly Running[] = []): ClaimTurn {
  return new Turns().next({ limit, lease_seconds: 30 }, new Load(limit * 2, running))
}
