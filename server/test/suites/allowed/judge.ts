import type { Sent } from '../client.ts'
import { membersOf, type Told } from './document.ts'

/** The fault in the answer to a request that the document allows; null when there is none. */
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

/** About the way of a request, not its content. */
const neverOfBodies: ReadonlySet<number> = new Set([401, 405, 413, 415, 429])

/** Every listed fault must be one that the document states. */
function faultOfRefusal(told: Told, sent: Sent): string | null {
  const { detail, object } = membersOf(sent.body)
  if (detail === undefined) return object === undefined ? '422 with a body of no kind' : null
  if (!Array.isArray(detail) || detail.length === 0) return '422 without a fault'
  const untold = detail.map(membersOf).filter((issue) => !isTold(told, issue))
  return untold.length === 0 ? null : `422 for what the document allows: ${JSON.stringify(untold)}`
}

function isTold({ rules }: Told, { type, loc, msg }: Record<string, unknown>): boolean {
  const said = String(msg).replace(/^Value error, /, '')
  // A missing member may be missing by a rule that names it, whatever else the rule says.
  const field = `\`${Array.isArray(loc) ? loc.at(-1) : ''}\``
  return rules.some((rule) => (type === 'missing' && rule.includes(field)) || sameRule(rule, said))
}

/** `{name}` in a rule stands for text that the refusal fills in. */
function sameRule(rule: string, said: string): boolean {
  const parts = rule.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.+')}$`, 'u').test(said)
}

/** The fault in the answer to a body that the document forbids. */
export function faultOfForbidden(told: Told, body: unknown, sent: Sent): string | null {
  if (!told.allowsByTypes(body))
    return sent.status === 422 ? null : `${sent.status} for what the document forbids`
  // The operation itself checks clauses between members, and may find other faults first.
  return sent.status < 300 || sent.status >= 500
    ? `${sent.status} for what a clause of the document forbids`
    : null
}
