import { randomUUID } from 'node:crypto'
import { BadRequest, type Fields, integer, isObject, optionalText, text } from '../fields.ts'

export type Fault =
  | { kind: 'delay'; ms: number }
  | { kind: 'lose_answer' }
  | { kind: 'drop_request' }
  | { kind: 'error_500_once' }
  | { kind: 'decline'; code: string }
  /** The issuer does not release the hold: a refusal for good, and the hold stands. Of a void or revoke. */
  | { kind: 'refuse_release' }
  /** Nothing is done, and the key stays free. */
  | { kind: 'turn_away'; status: number; retryAfter: RetryAfter | null }

type RetryAfter = { seconds: number; as: 'seconds' | 'date' }

type FaultMatch = {
  operation?: string
  reference_contains?: string
  key_contains?: string
  card?: string
}

export type FaultRule = { id: string; match: FaultMatch; fault: string; times: number }

/** What a rule can be compared with; a query has no card and may have no reference. */
export type FaultSubject = {
  operation: string
  key: string | null
  reference: string | null
  card: string | null
}

export function parseFault(value: string): Fault {
  if (value.trim().startsWith('status=')) return parseTurnAway(value.trim())
  const [name = '', argument = ''] = value.trim().split('=')
  if (name === 'delay' && /^\d{1,6}$/.test(argument)) return { kind: 'delay', ms: Number(argument) }
  if (name === 'decline' && /^[a-z_]{1,64}$/.test(argument)) return { kind: 'decline', code: argument }
  if (argument === '' && name === 'refuse_release') return { kind: name }
  if (argument === '' && (name === 'lose_answer' || name === 'drop_request' || name === 'error_500_once')) {
    return { kind: name }
  }
  throw new BadRequest(
    `fault must be delay=MS, lose_answer, drop_request, error_500_once, decline=CODE, refuse_release or ${turnAwayForm}`,
  )
}

/** What turns a call away, with the code of its answer. */
export const turnAwayCodes: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'unknown_route',
  408: 'request_timeout',
  422: 'invalid_request',
  425: 'too_early',
  429: 'rate_limited',
}

const turnAwayForm = `status=${Object.keys(turnAwayCodes).join('|')}[;retry_after=SECONDS|;retry_after_date=SECONDS]`

function parseTurnAway(value: string): Fault {
  const [, status = '', as, seconds = ''] =
    /^status=(\d{3})(?:;(retry_after|retry_after_date)=(\d{1,6}))?$/.exec(value) ?? []
  if (turnAwayCodes[Number(status)] === undefined) throw new BadRequest(`fault must be ${turnAwayForm}`)
  const form = as === 'retry_after' ? 'seconds' : 'date'
  const retryAfter = as === undefined ? null : ({ seconds: Number(seconds), as: form } as const)
  return { kind: 'turn_away', status: Number(status), retryAfter }
}

export function parseFaultRule(body: Fields): FaultRule {
  const match = isObject(body.match) ? body.match : {}
  const fault = text(body, 'fault')
  parseFault(fault)
  const unknown = Object.keys(match).find((name) => !matchNames.includes(name))
  if (unknown !== undefined) throw new BadRequest(`match has no field ${unknown}`)
  const named = matchNames.flatMap((name) => {
    const value = optionalText(match, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const times = body.times === undefined ? 1 : integer(body, 'times', { min: 1, max: 1_000_000 })
  return { id: `fault_${randomUUID()}`, match: Object.fromEntries(named), fault, times }
}

const matchNames = ['operation', 'reference_contains', 'key_contains', 'card']

/** The oldest rule that fits. An empty match fits everything but queries, which must be named. */
export function findRule(rules: Iterable<FaultRule>, subject: FaultSubject): FaultRule | undefined {
  for (const rule of rules) {
    const { operation, reference_contains, key_contains, card } = rule.match
    if (operation === undefined ? subject.operation === 'query' : operation !== subject.operation) continue
    if (reference_contains !== undefined && !subject.reference?.includes(reference_contains)) continue
    if (key_contains !== undefined && !subject.key?.includes(key_contains)) continue
    if (card !== undefined && card !== subject.card) continue
    return rule
  }
  return undefined
}
