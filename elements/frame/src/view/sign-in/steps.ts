import type { Outcome, Refusal } from '../../calls/call.ts'
import type { Standing, Wall } from '../../calls/sign-in.ts'
import type { SignInSentences } from '../../locales/sentences.ts'

/** What the frame shows of a sign-in. What was typed is kept in none of them. */
export type Step =
  | { readonly kind: 'loading' }
  | { readonly kind: 'form'; readonly wall: Wall; readonly notice: Notice | null }
  | { readonly kind: 'sealing'; readonly wall: Wall }
  /** The shop has what was typed, and has said nothing yet. */
  | { readonly kind: 'checking'; readonly wall: Wall }
  | { readonly kind: 'ended'; readonly how: 'signed_in' | 'minted' | 'gone' }
  | { readonly kind: 'over' }
  | { readonly kind: 'offline' }
  /** Nothing a person can do helps. */
  | { readonly kind: 'stopped'; readonly message: string }

export type Notice = {
  readonly about: 'refused' | 'lost' | 'offline' | 'unavailable' | 'too_many' | 'not_sealed'
  /** The server's own sentence. */
  readonly message?: string
}

const stopping: readonly string[] = [
  'origin_not_allowed',
  'invalid_publishable_key',
  'capability_missing',
  'client_secret_invalid',
  'component_not_applicable',
  'not_found',
  'invalid_request',
  'insufficient_scope',
]

export function stepAfterReading(outcome: Outcome<Standing>): Step {
  if (outcome.kind === 'no_answer') return { kind: 'offline' }
  if (outcome.kind === 'refused') return stoppedBy(outcome)
  const { state } = outcome.value
  if (state.kind === 'wall') return stepAtWall(state, null)
  return { kind: 'ended', how: state.kind === 'over' ? 'gone' : 'signed_in' }
}

/** `before`: the wall that somebody has submitted something for. */
export function stepAtWall(wall: Wall, before: Wall | null): Step {
  if (wall.isRefused) return { kind: 'form', wall, notice: { about: 'refused' } }
  // It asks for the same again and has refused nothing: what was typed did not reach it.
  const isLost = before !== null && before.cartId === wall.cartId && wall.asks === 'password'
  return { kind: 'form', wall, notice: isLost ? { about: 'lost' } : null }
}

/** Something was refused on the way, or has got no answer: the person types again. */
export function stepAfterFailing(wall: Wall, outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): Step {
  if (outcome.kind === 'no_answer') return { kind: 'form', wall, notice: { about: 'offline' } }
  const { code, message } = outcome
  if (code === 'session_expired') return { kind: 'over' }
  if (stopping.includes(code)) return { kind: 'stopped', message }
  const isTooMany = code === 'rate_limited' || code === 'object_limit_reached'
  return { kind: 'form', wall, notice: { about: isTooMany ? 'too_many' : 'unavailable', message } }
}

function stoppedBy({ code, message }: Refusal): Step {
  return code === 'session_expired' ? { kind: 'over' } : { kind: 'stopped', message }
}

export function noticeText({ about }: Notice, { asks }: Wall, words: SignInSentences): string {
  switch (about) {
    case 'refused':
      return asks === 'code' ? words.codeRefused : words.refused
    case 'lost':
      return words.lost
    case 'offline':
      return words.offline
    case 'unavailable':
      return words.unavailable
    case 'too_many':
      return words.tooMany
    case 'not_sealed':
      return words.notSealed
    default:
      return about satisfies never
  }
}
