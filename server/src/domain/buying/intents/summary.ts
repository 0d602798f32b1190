import { formatMoney } from '../../../core/money.ts'
import { type CartRow, canRetryCart } from './cart.ts'
import { isUnknown } from './decide-finish.ts'
import { type FailureReason, failures } from './failure.ts'
import type { IntentRow, NextAction } from './intent.ts'
import { isTerminalCart } from './machine.ts'

type CartFacts = Pick<
  CartRow,
  | 'id'
  | 'status'
  | 'merchant_domain'
  | 'actual_amount'
  | 'attempt_number'
  | 'max_attempts'
  | 'outcome_known'
  | 'stage'
  | 'failure'
>

type IntentFacts = Pick<
  IntentRow,
  | 'status'
  | 'currency'
  | 'max_allowed_amount'
  | 'actual_amount'
  | 'merchants'
  | 'items'
  | 'next_action'
  | 'failure'
  | 'policy_result'
  | 'retry'
  | 'pays_by_token'
>

/**
 * A purchase in words for a person: what was bought, what was not, what was charged, what happens next. It is made of our own words,
 * amounts and domains alone, because models read it and must not obey what merchants write. What was bought stands before what was not,
 * so that a partial success never reads as a failure.
 */
export function summaryOf(intent: IntentFacts, carts: readonly CartFacts[]): string {
  const told: Told = {
    intent,
    carts,
    sold: carts.filter(({ status }) => status === 'succeeded').length,
    unknown: carts.filter(isUnknown),
    cap: formatMoney(intent.max_allowed_amount, intent.currency),
    charged: formatMoney(intent.actual_amount, intent.currency),
  }
  switch (intent.status) {
    case 'awaiting_approval':
      return awaitingApproval(told)
    case 'queued':
    case 'approved':
      return underWay(told)
    case 'awaiting_merchant_auth':
      return sentences(soFar(told), signInAsked(told))
    case 'merchant_auth_failed':
      return sentences(
        soFar(told),
        `${signInShops(told)} refused the sign-in: a person must sign in there again`,
      )
    case 'succeeded':
      return succeeded(told)
    case 'failed':
      return failed(told)
    case 'cancelled':
      return 'Cancelled: nothing was bought and nothing was charged.'
    case 'declined':
      return sentences('Declined: nothing was bought and nothing was charged', whyDeclined(intent))
    default:
      return intent.status satisfies never
  }
}

type Told = {
  readonly intent: IntentFacts
  readonly carts: readonly CartFacts[]
  /** How many shops the items were bought from. */
  readonly sold: number
  readonly unknown: readonly CartFacts[]
  readonly cap: string
  readonly charged: string
}

function sentences(...parts: readonly (string | null)[]): string {
  return parts.flatMap((part) => (part === null ? [] : [`${part}.`])).join(' ')
}

function awaitingApproval(told: Told): string {
  const { intent, cap, carts, sold } = told
  const action = intent.next_action
  if (intent.retry) {
    const again = shops(intent.retry.cart_ids.length)
    const before = sold > 0 ? soldSoFar(told) : 'Nothing is bought yet'
    return sentences(before, `A person must approve another try at ${again}, for at most ${cap} in all`)
  }
  if (action?.type === 'reapprove_price' && action.proposal) {
    const { max_allowed_amount } = action.proposal
    const highest = formatMoney(BigInt(max_allowed_amount), intent.currency)
    const where = domainOf(carts, action.cart_id) ?? 'A shop'
    return sentences(
      soFar(told),
      `${where} asks for another price: a person must approve it, for at most ${highest} in all`,
    )
  }
  const need = `${needOf(action)} ${goods(intent)} for at most ${cap}`
  return sold > 0 ? sentences(soldSoFar(told), need) : sentences(need, 'Nothing is charged yet')
}

/** What a person has to do before anything is bought, as the beginning of a sentence. */
function needOf(action: NextAction | null): string {
  switch (action?.type) {
    case 'select_payment_method':
      return 'A person must choose a payment method to buy'
    case 'verify_payment':
      return 'A person must verify the card to buy'
    case 'provide_input':
      return action.fields?.includes('shipping_address')
        ? 'The profile needs a shipping address to buy'
        : 'More information is needed to buy'
    default:
      return 'A person must approve'
  }
}

function underWay(told: Told): string {
  const { intent, carts, cap, sold } = told
  if (carts.length === 0 && intent.pays_by_token)
    return sentences(`Waits for its payment token to buy ${goods(intent)} for at most ${cap}`)
  if (carts.length === 0) return sentences(`About to buy ${goods(intent)} for at most ${cap}`)
  const open = carts.filter(({ status }) => !isTerminalCart(status)).length
  if (sold === 0) return sentences(`Buying ${goods(intent)} for at most ${cap}`, notSold(told))
  return sentences(soldSoFar(told), open > 0 ? 'The rest is being bought' : null)
}

/** What is certain while a person is waited for. */
function soFar(told: Told): string {
  return told.sold > 0 ? soldSoFar(told) : `Nothing of at most ${told.cap} is bought yet`
}

function soldSoFar({ sold, carts, charged }: Told): string {
  return `${sold} of ${shops(carts.length)} sold so far: ${charged} charged`
}

function notSold({ carts }: Told): string | null {
  const failedCount = carts.filter(({ status }) => status === 'failed').length
  return failedCount > 0 ? `${failedCount} of ${shops(carts.length)} did not sell` : null
}

function succeeded({ intent, carts, sold, charged }: Told): string {
  const isPart = sold < carts.length
  if (!isPart) return sentences(`Bought ${goods(intent)}: ${charged} charged`)
  return sentences(`${sold} of ${shops(carts.length)} sold: ${charged} charged`, 'The rest was cancelled')
}

function failed(told: Told): string {
  const { intent, carts, sold, charged, unknown } = told
  const bought = sold > 0 ? `${sold} of ${shops(carts.length)} sold: ${charged} charged` : null
  if (unknown.length > 0) {
    const where = unknown.length === 1 ? (unknown[0]?.merchant_domain ?? 'A shop') : shops(unknown.length)
    const doubt = `Whether ${where} took the order is not known: a person must find out and report it`
    return sentences(bought, doubt, 'Until then nothing is tried again there')
  }
  const canRetry = carts.some(canRetryCart)
  if (bought !== null) {
    return sentences(bought, canRetry ? 'A retry buys only the rest' : 'The rest cannot be tried again')
  }
  return `${sentences('Nothing was bought and nothing was charged')} ${whyFailed(intent.failure)} ${sentences(
    canRetry ? retryAdvice(intent.failure) : 'It cannot be tried again',
  )}`
}

/** In our own words for the code: messages may quote a merchant. */
function whyFailed(failure: FailureReason | null): string {
  return failures[failure?.code ?? 'internal_error'].message
}

function retryAdvice(failure: FailureReason | null): string {
  switch (failure?.retry_policy) {
    case 'later':
      return 'A retry later may buy it'
    case 'after_change':
      return 'A retry may buy it once that has changed'
    default:
      return 'A retry may buy it'
  }
}

function whyDeclined({ failure, policy_result }: IntentFacts): string {
  if (failure?.code === 'approval_expired') return 'Nobody approved in time'
  return policy_result === 'deny' ? 'A policy denies this purchase' : 'It was not approved'
}

function signInAsked(told: Told): string {
  return told.intent.next_action?.type === 'provide_input'
    ? `${signInShops(told)} has sent a code to its customer: a person must pass it on`
    : `${signInShops(told)} asks for a sign-in: a person must sign in there`
}

function signInShops({ carts }: Told): string {
  const waiting = carts.filter(({ status }) => status === 'awaiting_merchant_auth')
  const [first] = waiting
  if (waiting.length > 1) return `Each of ${shops(waiting.length)}`
  return first?.merchant_domain ?? 'A shop'
}

function domainOf(carts: readonly CartFacts[], id: string | undefined): string | null {
  return carts.find((cart) => cart.id === id)?.merchant_domain ?? null
}

/** `2 items from shop.example`. */
function goods({ items, merchants }: IntentFacts): string {
  const [only] = merchants
  const from = merchants.length === 1 && only !== undefined ? only : shops(merchants.length)
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0)
  return `${count} ${count === 1 ? 'item' : 'items'} from ${from}`
}

function shops(count: number): string {
  return `${count} ${count === 1 ? 'shop' : 'shops'}`
}
