import { type ClaimTurn, Load, type Running, Turns } from './turns.ts'

/** A claim of a process with these steps under way and as many free places as it asks for. */
export function turnOf(limit: number, running: readonly Running[] = []): ClaimTurn {
  return new Turns().next({ limit, lease_seconds: 30 }, new Load(limit * 2, running))
}
