import { type Outcome, type Refusal, waitMinutes } from '../../frame/src/calls/call.ts'
import { isLost } from '../../frame/src/calls/wait-for-proof.ts'
import type { Asking, OpenedPage } from './calls/opened-page.ts'

/** What the page shows. */
export type Step =
  | { readonly kind: 'loading' }
  | { readonly kind: 'asked'; readonly asking: Asking; readonly notice: Notice | null }
  | { readonly kind: 'opened'; readonly page: OpenedPage; readonly notice: Notice | null }
  | { readonly kind: 'answered'; readonly answer: 'approved' | 'declined'; readonly back: Back | null }
  | { readonly kind: 'over'; readonly why: 'over' | 'claimed' | 'incomplete' }

/** Where the person goes afterwards. */
export type Back = { readonly url: string; readonly name: string | null }

export type Notice =
  | NamedNotice
  | { readonly minutes: number }
  /** In the words of the server, which has them in English. */
  | { readonly said: string }

type NamedNotice = 'offline' | 'failed' | 'shownAgain' | 'notThisCard' | 'notProven' | 'notAllowed'

/** The step after the page was not opened, or null where the step stays and says a notice. */
export function overAfter(outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): Step | null {
  if (outcome.kind === 'no_answer') return null
  if (outcome.code === 'link_claimed') return { kind: 'over', why: 'claimed' }
  if (outcome.code === 'invalid_request') return { kind: 'over', why: 'incomplete' }
  return outcome.code === 'link_over' || outcome.code === 'not_found' ? { kind: 'over', why: 'over' } : null
}

export function noticeOf(outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): Notice {
  if (outcome.kind === 'no_answer') return 'offline'
  if (outcome.code === 'rate_limited') return { minutes: waitMinutes(outcome) }
  // Another proof of the same card does not help where the card itself does not count.
  if (outcome.code === 'payment_verification_required' && outcome.param === cardParam) return 'notThisCard'
  // Nothing that is loaded again changes it.
  if (outcome.code === 'merchant_changed') return { said: outcome.message }
  return notices[outcome.code] ?? 'failed'
}

/** Why a card was not even asked for its proof: what that takes differs, and the server says it. */
export function noticeOfBeginning(outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): Notice {
  const notice = noticeOf(outcome)
  const isOfCard = outcome.kind === 'refused' && (notice === 'failed' || notice === 'notProven')
  return isOfCard && !isLost(outcome) ? { said: outcome.message } : notice
}

/** Whether another proof may be taken where this one was not. */
export function isOfProof(refusal: Refusal): boolean {
  return noticeOf(refusal) === 'notProven'
}

const cardParam = 'profile_payment_method_id'

const notices: Readonly<Record<string, NamedNotice>> = {
  approval_stale: 'shownAgain',
  session_expired: 'shownAgain',
  payment_verification_required: 'notProven',
  verification_failed: 'notProven',
  verification_used: 'notProven',
  card_refused: 'notProven',
  policy_limit_exceeded: 'notAllowed',
  policy_denied: 'notAllowed',
  frozen: 'notAllowed',
  profile_not_active: 'notAllowed',
}

/** Whether what is shown is no longer what the server has: it is loaded again before anybody approves it. */
export function isOutdated(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'refused') return false
  const isCardGone = outcome.code === 'not_found' && outcome.param === cardParam
  return isCardGone || ['approval_stale', 'session_expired', 'not_approvable'].includes(outcome.code)
}

/** Our page takes nobody to an address that it was not told by the server, and says there how it ended. */
export function backTo(
  returnUrl: string | null,
  of: { id: string; status: string; name: string | null },
): Back | null {
  if (returnUrl === null || !URL.canParse(returnUrl)) return null
  const url = new URL(returnUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  url.searchParams.set('purchase_intent_id', of.id)
  url.searchParams.set('status', of.status)
  return { url: url.href, name: of.name }
}
