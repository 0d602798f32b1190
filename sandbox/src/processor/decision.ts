import { randomUUID } from 'node:crypto'
import type { Entry, Operation, Stored } from './ledger.ts'

/** The outcome of a call. `result: null` is a call that changes nothing and is no refusal (a second void). */
export type Decision = {
  operation: Operation
  status: number
  answer: object
  objects: Stored[]
  objectId: string | null
  result: string | null
  facts: Facts
}

type Facts = Pick<Entry, 'amount' | 'currency' | 'reference'>

/** A test's request that the issuer refuses: the money, or the release of a hold. */
export type Forced = { kind: 'decline'; code: string } | { kind: 'refuse_release' }

export function approved(
  operation: Operation,
  status: number,
  answer: Stored,
  objects: Stored[],
  facts: Facts,
): Decision {
  return { operation, status, answer, objects, objectId: answer.id, result: 'approved', facts }
}

export function unchanged(operation: Operation, object: Stored, facts: Facts): Decision {
  return { operation, status: 200, answer: object, objects: [], objectId: object.id, result: null, facts }
}

export function refused(operation: Operation, code: string, object: Stored, facts: Facts): Decision {
  const answer = { error: { code, message: `The ${object.object} refuses this ${operation}: ${code}` } }
  return {
    operation,
    status: 409,
    answer,
    objects: [],
    objectId: object.id,
    result: `refused:${code}`,
    facts,
  }
}

export function declined(operation: Operation, code: string, object: Stored | null, facts: Facts): Decision {
  const answer = { error: declineError(code) }
  return {
    operation,
    status: 402,
    answer,
    objects: [],
    objectId: object?.id ?? null,
    result: `declined:${code}`,
    facts,
  }
}

export function declineError(code: string) {
  return { code: 'declined', decline_code: code, message: 'The issuer declined' }
}

export function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}
