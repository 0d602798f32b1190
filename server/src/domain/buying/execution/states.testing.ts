import type { Offer, Way } from '../channels/port.ts'
import { atStage, type LoadedCart, type LoadedIntent } from '../intents/public.ts'
import { timing } from '../rails/timing.ts'
import { type CartState, untouched } from './cart-state.ts'
import { decideStep } from './decide-step.ts'
import { railEffects } from './effects/effects.ts'
import {
  blankEffect,
  type EffectRefusal,
  type EffectRow,
  type EffectState,
  type EffectStep,
  type HoldRow,
} from './journal.ts'
import { lifetimes } from './lifetimes.ts'
import type { Step } from './step.ts'

export const now = new Date('2026-06-01T12:00:00Z')

export function at(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}

export const effectSteps = ['place', ...Object.keys(railEffects)] as readonly EffectStep[] // the keys are steps

const cap = 2000n

const intent: LoadedIntent['intent'] = {
  id: 'pi_00000000000000000000000001',
  profile_id: 'prof_00000000000000000000000001',
  api_key_id: null,
  agent_id: null,
  payment_method_id: 'pm_00000000000000000000000001',
  policy_id: null,
  status: 'approved',
  currency: 'EUR',
  expected_amount: 1800n,
  max_allowed_amount: cap,
  actual_amount: 0n,
  settled_amount: 0n,
  caller_max_amount: null,
  fee_allowance: 100n,
  tax_allowance: 100n,
  tolerance_basis_points: 0,
  on_price_exceed: 'fail',
  items: [
    {
      id: 'item_00000000000000000000000001',
      url: 'https://shop.example/thing',
      quantity: 1,
      unit_amount: 1800,
      variant: null,
      quote_id: null,
      domain: 'shop.example',
      mcc: null,
      country: null,
      merchant: null,
    },
  ],
  fulfillment: {
    method: 'digital',
    speed: 'cheapest',
    address_id: null,
    max_fee_amount: null,
    address: null,
    country: null,
  },
  policy_decision: { result: 'allow', reasons: [] } as unknown as LoadedIntent['intent']['policy_decision'], // no cart looks at it
  policy_result: 'allow',
  approval_required: false,
  approved_by: 'policy',
  approved_at: now,
  buyer: { first_name: 'Ada', last_name: null, email: 'ada@example.com', phone: null, bill_to: null },
  approval_expires_at: null,
  payment_verified_at: null,
  payment_proof: null,
  next_action: null,
  failure: null,
  partial: false,
  cancel_reason: null,
  offer_summary: null,
  reapproval: null,
  retry: null,
  ship_to: null,
  promo_code: null,
  kept_answers: null,
  pays_by_token: false,
  reference_id: null,
  metadata: {},
  idempotency_key: null,
  actor_type: 'api_key',
  actor_id: null,
  merchants: [],
  search: '',
  seq: 1,
  due_at: null,
  lease_until: null,
  lease_token: 1n,
  created_at: now,
  updated_at: now,
  started_at: now,
  completed_at: null,
}

const cart: LoadedCart = {
  id: 'cart_00000000000000000000000001',
  intent_id: intent.id,
  position: 0,
  merchant_name: 'Shop',
  merchant_domain: 'shop.example',
  merchant_account_id: 'acct_00000000000000000000000002',
  channel: 'native',
  route: null,
  items: [
    {
      id: 'item_00000000000000000000000001',
      url: 'https://shop.example/thing',
      quantity: 1,
      expected_amount: 1800,
      unit_amount: null,
      title: null,
    },
  ],
  status: 'in_progress',
  ...atStage({ kind: 'none' }),
  attempt_number: 1,
  attempt_id: 'att_00000000000000000000000001',
  max_attempts: 3,
  currency: 'EUR',
  expected_amount: 1800n,
  max_allowed_amount: cap,
  actual_amount: 0n,
  refunded_amount: 0n,
  fee_allowance: 100n,
  tax_allowance: 100n,
  tolerance_basis_points: 0,
  hold: null,
  offer: null,
  promo: null,
  question: null,
  answers: null,
  order_row_id: null,
  order_id: null,
  order_url: null,
  transaction_id: null,
  failure: null,
  outcome_known: true,
  past_no_return: false,
  attempts_data: [],
  due_at: now,
  lease_until: at(30),
  lease_token: 1n,
  started_at: now,
  completed_at: null,
  created_at: now,
  updated_at: now,
}

/** An offer of exactly what was approved. */
export const offer: Offer = {
  reference: null,
  lines: [{ itemId: cart.items[0]?.id ?? '', quantity: 1, unitAmount: 1800n, title: 'Thing', listing: null }],
  subtotal: 1800n,
  fulfillment: 0n,
  tax: 0n,
  discount: 0n,
  total: 1800n,
  currency: 'EUR',
}

/** A running cart of a merchant of ours, for which nothing was done. */
export const base: CartState = {
  ...untouched,
  now,
  tenant: { accountId: 'acct_00000000000000000000000001', mode: 'test' },
  intent,
  cart,
  others: [],
  effects: [],
  holds: [],
  fundings: [],
  isFrozen: false,
  isWoken: false,
  means: {
    ways: {},
    handedOver: null,
    offered: [],
    rail: 'sandbox',
    rails: ['sandbox'],
    asksByCall: [],
    prefunded: [],
    cardless: [],
    wallets: {},
    leaseMs: timing.leaseSeconds * 1000,
  },
  known: {},
}

type LeftAlone = { readonly since: Date; readonly until: Date; readonly reason?: string }

export function leftAlone({ since, until, reason = 'busy' }: LeftAlone): NonNullable<EffectRow['put_off']> {
  return { count: 1, since: since.toISOString(), until: until.toISOString(), reason }
}

type EffectInWords = Partial<Omit<EffectRow, 'answer' | 'put_off'>> & {
  readonly answer?: EffectRow['answer']
  readonly refusal?: EffectRefusal
  readonly putOff?: LeftAlone
}

export function effect(step: EffectStep, state: EffectState, more: EffectInWords = {}): EffectRow {
  const { refusal, putOff, ...columns } = more
  return {
    ...blankEffect(
      { cart, intent, now },
      {
        step,
        attempt: more.attempt ?? 1,
        rail: step === 'place' ? null : 'sandbox',
        request: requestFor(step),
      },
    ),
    sent_at: at(-120),
    not_before: at(-60),
    ...(refusal ? { answer: { kind: 'refused', ...refusal } } : {}),
    ...(putOff ? { put_off: leftAlone(putOff) } : {}),
    ...columns,
    state,
  }
}

function requestFor(step: EffectStep): EffectRow['request'] {
  const isFree = step === 'void' || step === 'revoke'
  return {
    amount: isFree ? null : 1800n,
    currency: isFree ? null : 'EUR',
    merchant: 'shop.example',
    payment_method_id: intent.payment_method_id,
    expires_at: at(86_400).toISOString(),
    offer: null,
  }
}

export function hold(status: HoldRow['status'], more: Partial<HoldRow> = {}): HoldRow {
  return {
    cart_id: cart.id,
    attempt: 1,
    intent_id: intent.id,
    kind: 'authorization',
    rail: 'sandbox',
    reference: 'held at the rail',
    amount: 1800n,
    captured_amount: status === 'captured' ? 1800n : 0n,
    refunded_amount: 0n,
    capture_reference: status === 'captured' ? 'captured at the rail' : null,
    currency: 'EUR',
    status,
    claimed_at: null,
    claimed_amount: null,
    beyond_limit: 0n,
    vault_record: null,
    expires_at: at(86_400),
    created_at: at(-120),
    updated_at: at(-120),
    ...more,
  }
}

export const shop = { payment: 'credential', isNative: false } as const
export const paid = effect('authorize', 'done')
export const issued = effect('issue_credential', 'done')
export const rejected = { code: 'order_rejected_by_merchant', declineCode: null, message: 'No.' }

/** A cart in few words: what is not said is as in `base`. */
type InWords = {
  readonly now?: Date
  readonly isFrozen?: boolean
  readonly mayBuy?: boolean
  readonly payment?: Way['payment']
  readonly hasStrangers?: boolean
  readonly isNative?: boolean
  readonly handedOverUntil?: Date | null
  readonly isWoken?: boolean
  readonly hasNews?: boolean
  readonly isOfferAccepted?: boolean
  readonly offerTries?: number
  readonly offerTriedAt?: Date | null
  readonly noRoom?: { readonly since: Date; readonly until: Date } | null
  readonly effects?: readonly EffectRow[]
  readonly holds?: readonly HoldRow[]
  readonly isAsked?: boolean
  readonly cart?: {
    readonly status?: LoadedCart['status']
    readonly isCleanup?: boolean
    readonly attempt?: number
    readonly isOutcomeKnown?: boolean
    readonly signInUntil?: Date | null
    readonly inputUntil?: Date | null
    readonly codeUntil?: Date | null
  }
}

export type Row = [string, InWords, string]

export function stateInWords(words: InWords): CartState {
  const { isNative = true, payment = 'authorization', hasStrangers = false, handedOverUntil = null } = words
  const channel = handedOverUntil || hasStrangers ? 'ucp' : isNative ? 'native' : 'simulated'
  const way: Way = {
    kind: handedOverUntil ? 'handed_over' : isNative ? 'native' : 'outbound',
    payment,
    hasStrangers,
    form: null,
    longestCallMs: timing.longestCallMs,
  }
  const said = words.cart ?? {}
  return {
    ...base,
    now: words.now ?? now,
    intent: words.mayBuy === false ? { ...intent, status: 'declined' } : intent,
    isFrozen: words.isFrozen ?? false,
    isWoken: words.isWoken ?? false,
    isAsked: words.isAsked ?? false,
    accepted: words.isOfferAccepted ? offer : null,
    effects: words.effects ?? [],
    holds: words.holds ?? [],
    known: words.hasNews ? { news: [{ id: 'mv_1', attempt: 1, is_refund: true, refunded_amount: 1n }] } : {},
    means: { ...base.means, ways: { [channel]: way }, handedOver: handedOverUntil ? way : null },
    cart: {
      ...cart,
      channel,
      merchant_account_id: handedOverUntil || isNative ? cart.merchant_account_id : null,
      created_at: handedOverUntil
        ? new Date(handedOverUntil.getTime() - lifetimes.tokenMinutes * 60_000)
        : cart.created_at,
      status: said.status ?? 'in_progress',
      attempt_number: said.attempt ?? 1,
      outcome_known: said.isOutcomeKnown ?? true,
      question: said.inputUntil ? { fields: [], until: said.inputUntil.toISOString(), session: null } : null,
      ...stageInWords(words),
    },
  }
}

function stageInWords({ cart: said = {}, offerTries, offerTriedAt, noRoom }: InWords) {
  if (said.isCleanup) return atStage({ kind: 'cleanup' })
  if (said.signInUntil) {
    const code = said.codeUntil ? { until: said.codeUntil, session: 'session' } : null
    return atStage({ kind: 'sign_in', until: said.signInUntil, host: null, code })
  }
  const asking = { tries: offerTries ?? 0, since: offerTriedAt ?? now, signIn: null }
  if (noRoom) return atStage({ kind: 'room', ...asking, ...noRoom, count: 1 })
  return atStage(offerTries === undefined ? { kind: 'none' } : { kind: 'offer', ...asking })
}

export function decided(words: InWords): Step {
  return decideStep(stateInWords(words))
}

/** A step in one line: its kind, and the parts of it that matter. */
export function brief(step: Step): string {
  switch (step.kind) {
    case 'send':
    case 'ask':
    case 'close':
    case 'settle':
      return `${step.kind} ${step.step}${step.attempt === 1 ? '' : ` ${step.attempt}`}`
    case 'wait':
      return `wait ${Math.round((step.until.getTime() - now.getTime()) / 1000)}s ${step.because}`
    case 'fail':
      return `fail ${step.code}${step.isRetrySame ? ' same' : ''}`
    case 'fail_refused':
      return `fail ${step.refusal.code}`
    default:
      return step.kind
  }
}

const takesOrPlaces = ['authorize', 'issue_credential', 'place']

/** Whether a step begins something new: asks for an offer, holds money or places an order. */
export function beginsSomething(step: Step): boolean {
  return step.kind === 'offer' || (step.kind === 'send' && takesOrPlaces.includes(step.step))
}
