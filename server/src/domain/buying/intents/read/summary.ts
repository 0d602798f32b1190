import { formatMoney } from '../../../../core/money.ts'
import { type CartRow, canRetryCart, refundedOf } from '../cart.ts'
import type { NextAction } from '../decide/next-action.ts'
import { confirmingCart } from '../decide/payment-action.ts'
import { isUnknown } from '../decide-finish.ts'
import { type FailureReason, failures } from '../failure.ts'
import type { IntentRow } from '../intent.ts'
import { isTerminalCart } from '../machine.ts'

type CartFacts = Pick<
  CartRow,
  | 'id'
  | 'status'
  | 'merchant_domain'
  | 'actual_amount'
  | 'refunded_amount'
  | 'attempt_number'
  | 'max_attempts'
  | 'outcome_known'
  | 'stage'
  | 'failure'
  | 'expected_amount'
  | 'max_allowed_amount'
  | 'fee_allowance'
  | 'offer'
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
    charged: chargedOf(intent, carts),
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
  /** What was charged, and what of it was given back, as the end of a sentence. */
  readonly charged: string
}

function chargedOf({ actual_amount, currency }: IntentFacts, carts: readonly CartFacts[]): string {
  const charged = `${formatMoney(actual_amount, currency)} charged`
  const refunded = refundedOf(carts)
  if (refunded === 0n) return charged
  return refunded === actual_amount
    ? `${charged}, and all of it given back`
    : `${charged}, and ${formatMoney(refunded, currency)} of it given back`
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
    return sentences(
      soFar(told),
      `${priceAsked(told)}: a person must approve it, for at most ${highest} in all`,
    )
  }
  if (confirmingCart(intent) !== null) {
    const where = domainOf(carts, action?.cart_id) ?? 'a shop'
    return sentences(
      soFar(told),
      `The person who pays must confirm the payment for ${where} on the page of their bank or wallet`,
    )
  }
  const need = `${needOf(action)} ${goods(intent)} for at most ${cap}`
  if (sold > 0) return sentences(soldSoFar(told), need)
  return sentences(
    need,
    intent.pays_by_token ? 'Then the program that pays the merchant must make a payment token of it' : null,
    'Nothing is charged yet',
  )
}

/** What rose is the goods: a fee or a total beyond its limit is never asked about. */
function priceAsked({ intent, carts }: Told): string {
  const cart = carts.find(({ id }) => id === intent.next_action?.cart_id)
  const where = cart?.merchant_domain ?? 'A shop'
  if (!cart?.offer || cart.offer.subtotal <= cart.expected_amount) return `${where} asks for another price`
  const said = (amount: bigint | number) => formatMoney(BigInt(amount), intent.currency)
  return `${where} asks ${said(cart.offer.subtotal)} for the goods instead of ${said(cart.expected_amount)}`
}

/** What a person has to do before anything is bought, as the beginning of a sentence. */
function needOf(action: NextAction | null): string {
  switch (action?.type) {
    case 'select_payment_method':
      return 'A person must choose a payment method to buy'
    case 'verify_payment':
      return 'A person must verify the card to buy'
    case 'provide_input':
      return 'The profile needs a shipping address to buy'
    default:
      return 'A person must approve'
  }
}

function underWay(told: Told): string {
  const { intent, carts, cap, sold } = told
  if (intent.next_action?.type === 'provide_input') return sentences(soFar(told), inputAsked(told))
  if (carts.length === 0 && intent.pays_by_token)
    return sentences(
      `May be bought: ${goods(intent)} for at most ${cap}`,
      'The program that pays the merchant must make a payment token of it within 7 days, or it is cancelled',
      'Nothing is charged yet',
    )
  if (carts.length === 0) return sentences(`About to buy ${goods(intent)} for at most ${cap}`)
  const open = carts.filter(({ status }) => !isTerminalCart(status)).length
  if (sold === 0) return sentences(`Buying ${goods(intent)} for at most ${cap}`, notSold(told))
  return sentences(soldSoFar(told), open > 0 ? 'The rest is being bought' : null)
}

/** The words of a shop's question are its own: they are in `next_action`. */
function inputAsked({ intent, carts }: Told): string {
  const where = domainOf(carts, intent.next_action?.cart_id) ?? 'A shop'
  return `${where} must know more before it sells: somebody must answer what it asks`
}

/** What is certain while a person is waited for. */
function soFar(told: Told): string {
  return told.sold > 0 ? soldSoFar(told) : `Nothing of at most ${told.cap} is bought yet`
}

function soldSoFar({ sold, carts, charged }: Told): string {
  return `${sold} of ${shops(carts.length)} sold so far: ${charged}`
}

function notSold({ carts }: Told): string | null {
  const failedCount = carts.filter(({ status }) => status === 'failed').length
  return failedCount > 0 ? `${failedCount} of ${shops(carts.length)} did not sell` : null
}

function succeeded({ intent, carts, sold, charged }: Told): string {
  const isPart = sold < carts.length
  if (!isPart) return sentences(`Bought ${goods(intent)}: ${charged}`)
  return sentences(`${sold} of ${shops(carts.length)} sold: ${charged}`, 'The rest was cancelled')
}

function failed(told: Told): string {
  const { intent, carts, sold, charged, unknown } = told
  const bought = sold > 0 ? `${sold} of ${shops(carts.length)} sold: ${charged}` : null
  if (unknown.length > 0) {
    const where = unknown.length === 1 ? (unknown[0]?.merchant_domain ?? 'A shop') : shops(unknown.length)
    const doubt = `Whether ${where} took the order is not known: a person must find out and report it`
    return sentences(bought, doubt, 'Until then nothing is tried again there')
  }
  const canRetry = carts.some(canRetryCart)
  if (bought !== null) {
    return sentences(bought, canRetry ? 'A retry buys only the rest' : 'The rest cannot be tried again')
  }
  return `${sentences('Nothing was bought and nothing was charged')} ${whyFailed(told)} ${sentences(
    canRetry ? retryAdvice(intent.failure) : 'It cannot be tried again',
  )}`
}

/** In our own words for the code, with the amounts that it is about: messages may quote a merchant. */
function whyFailed({ intent: { failure, currency }, carts }: Told): string {
  const code = failure?.code ?? 'internal_error'
  const cart = carts.find((one) => one.failure?.code === code)
  return (cart && amountsBehind(cart, currency)) ?? choicesBehind(failure) ?? failures[code].message
}

/** What a shop asked beside what was allowed; null: the failure is not about that, or nobody knows what was asked. */
function amountsBehind(cart: CartFacts, currency: string): string | null {
  const { failure, offer, expected_amount, max_allowed_amount, fee_allowance } = cart
  if (offer === null) return null
  const said = (amount: bigint | number) => formatMoney(BigInt(amount), currency)
  switch (failure?.code) {
    case 'max_amount_exceeded':
      return offer.total > max_allowed_amount
        ? `The total ${said(offer.total)} is above the most that may be charged, ${said(max_allowed_amount)}.`
        : null
    case 'fulfillment_fee_exceeded':
      return offer.fulfillment > fee_allowance
        ? `The fulfillment fee ${said(offer.fulfillment)} is higher than allowed, ${said(fee_allowance)}.`
        : null
    case 'price_changed':
      return offer.subtotal > expected_amount
        ? `The merchandise costs ${said(offer.subtotal)} instead of ${said(expected_amount)}.`
        : null
    default:
      return null
  }
}

/**
 * The choices of a product that was asked for without one. A merchant has named them, so only what cannot be a sentence is repeated: a
 * few short names of letters and digits.
 */
const choices =
  /^Choose ((?:[\p{L}\p{N}]{1,16}(?: [\p{L}\p{N}]{1,16})? \([\p{L}\p{N}.,/ +…-]{1,120}\)(?: and )?){1,3})\.$/u
const choiceWordsMax = 2
const choiceLettersMax = 20
const choicesLengthMax = 160

function choicesBehind(failure: FailureReason | null): string | null {
  if (failure?.code !== 'variant_required') return null
  const named = choices.exec(failure.merchant_message ?? '')?.[1]
  if (named === undefined) return null
  const labels = [...named.matchAll(/\(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
  const areShort = labels.every(
    (label) => label.length <= choiceLettersMax && label.split(' ').length <= choiceWordsMax,
  )
  return areShort && named.length <= choicesLengthMax
    ? `The product has several variants. Choose in \`variant\`: ${named}.`
    : null
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

/** `2 items from shop.example and tea.example`. */
function goods({ items, merchants }: IntentFacts): string {
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0)
  return `${count} ${count === 1 ? 'item' : 'items'} from ${listed(merchants)}`
}

/** So many shops are named, in so many characters; more are counted. */
const named = { shopsMax: 3, lengthMax: 120 }

function listed(merchants: readonly string[]): string {
  const last = merchants.at(-1) ?? ''
  if (merchants.length < 2) return last
  const said = `${merchants.slice(0, -1).join(', ')} and ${last}`
  return merchants.length > named.shopsMax || said.length > named.lengthMax ? shops(merchants.length) : said
}

function shops(count: number): string {
  return `${count} ${count === 1 ? 'shop' : 'shops'}`
}
