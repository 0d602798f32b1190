import { BadRequest } from '../fields.ts'
import type { CardMovement, Ledger } from './ledger.ts'

const limitMax = 500

/** What happened to virtual cards and credentials after a movement, oldest first. `next` is the `after` of the next question. */
export function listMovements(
  { movements }: Ledger,
  query: URLSearchParams,
): { data: CardMovement[]; next: number } {
  const after = Number(query.get('after') ?? 0)
  if (!Number.isSafeInteger(after) || after < 0) throw new BadRequest('after must be a whole number')
  const data = movements.slice(after, after + limitMax)
  return { data, next: after + data.length }
}
