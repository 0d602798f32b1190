import type { Sent } from '../client.ts'
import { membersOf, type Told } from './document.ts'

/** What is wrong with the answer to a request that the document allows; null when nothing is. */
export function faultOfAllowed(told: Told, sent: Sent): string | null {
  if (told.responses[sent.status] === undefined) return `${sent.status} is no status of the operation`
  if (sent.status < 300) return null
  if (sent.status === 422) return faultOfRefusal(told, sent)
  const { code } = membersOf(membersOf(sent.body).detail)
  const codes = told.responses[sent.status]?.['x-codes']
  if (!Array.isArray(codes) || !codes.includes(code))
    return `${sent.status} ${code} is no code of the operation`
  return sent.status >= 500 || neverOfBodies.has(sent.status)
    ? `${sent.status} ${code}: the document allows this`
    : null
}

/** Of how a request came, not of what it says. */
const neverOfBodies: ReadonlySet<number> = new Set([401, 405, 413, 415, 429])

/** Every fault that is listed must be one that the document tells. */
function faultOfRefusal(told: Told, sent: Sent): string | null {
  const { detail, object } = membersOf(sent.body)
  if (detail === undefined) return object === undefined ? '422 with a body of no kind' : null
  if (!Array.isArray(detail) || detail.length === 0) return '422 without a fault'
  const untold = detail.map(membersOf).filter((issue) => !isTold(told, issue))
  return untold.length === 0 ? null : `422 for what the document allows: ${JSON.stringify(untold)}`
}

function isTold({ rules }: Told, { type, loc, msg }: Record<string, unknown>): boolean {
  const said = String(msg).replace(/^Value error, /, '')
  // What is missing is missing by a rule that names it.
  const field = `\`${Array.isArray(loc) ? loc.at(-1) : ''}\``
  return rules.some((rule) => (type === 'missing' ? rule.includes(field) : sameRule(rule, said)))
}

/** `{name}` in a rule stands for what the refusal fills in. */
function sameRule(rule: string, said: string): boolean {
  const parts = rule.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.+')}$`, 'u').test(said)
}

/** What is wrong with the answer to a body that the document forbids. */
export function faultOfForbidden(told: Told, body: unknown, sent: Sent): string | null {
  if (!told.allowsByTypes(body))
    return sent.status === 422 ? null : `${sent.status} for what the document forbids`
  // Clauses between members are looked at by the operation itself, which may find other things first.
  return sent.status < 300 || sent.status >= 500
    ? `${sent.status} for what a clause of the document forbids`
    : null
}
