import type { HoldAnswer, RailAnswer, RailMemory, Recalled } from './port.ts'

/** An answer where nobody could confirm a payment: it is open until its key is closed. */
export function sentForNobody(answer: HoldAnswer): RailAnswer {
  return answer.kind === 'needs_person' ? { kind: 'unknown' } : answer
}

/** The same of a question about it. */
export function askedForNobody(answer: Recalled): RailMemory {
  return answer.kind === 'needs_person' ? { kind: 'pending' } : answer
}
