import { isShownTo } from './accounts.ts'
import { checkAmount, checkMoney } from './currencies.ts'
import { customerIn } from './customers.ts'
import { payBy, tokenNamedIn } from './granted-tokens.ts'
import { holdMsOf } from './hold-time.ts'
import { ended, renderIntent, standing } from './intent-object.ts'
import type { Fact, Intent, Memory } from './memory.ts'
import { metadataSearched } from './metadata-search.ts'
import { cardOf, declinedBy, methodNamed } from './payment-methods.ts'
import { noSuch, StripeError } from './stripe-error.ts'
import { type Decline, outcomeOf } from './test-cards.ts'
import { type Asked, type Done, newId, type Operations, page } from './work.ts'

const intents = '/v1/payment_intents'
const amountMin = 50
const amountMax = 99_999_999

export const paymentIntentOperations: Operations = [
  {
    method: 'POST',
    path: intents,
    operation: 'create',
    work(asked) {
      const { form } = asked
      const isConfirmed = form.flag('confirm') ?? false
      const confirming = isConfirmed ? confirmingIn(asked) : null
      const { intent, before } = intentIn(asked, isConfirmed)
      if (confirming !== null) return confirm(asked, intent, { ...confirming, before })
      return made(asked, intent, before)
    },
  },
  {
    method: 'GET',
    path: intents,
    operation: 'list',
    work(asked) {
      const customer = asked.form.text('customer')
      const all = ownIntents(asked)
      const ofCustomer = customer === null ? all : all.filter((one) => one.customer === customer)
      return { body: page(asked, ofCustomer, (one) => renderIntent(standing(one, asked.nowMs), asked)) }
    },
  },
  {
    method: 'GET',
    path: `${intents}/search`,
    operation: 'search',
    work: (asked) => metadataSearched(asked, ownIntents(asked), (one) => renderIntent(one, asked)),
  },
  {
    method: 'GET',
    path: `${intents}/:id`,
    operation: 'read',
    work: (asked) => ({ body: renderIntent(knownIntent(asked), asked) }),
  },
  {
    method: 'POST',
    path: `${intents}/:id/confirm`,
    operation: 'confirm',
    work: (asked) => confirm(asked, knownIntent(asked), { ...confirmingIn(asked), before: [] }),
  },
  {
    method: 'POST',
    path: `${intents}/:id/capture`,
    operation: 'capture',
    work(asked) {
      const intent = captured(asked, knownIntent(asked))
      const { facts = [], ...answer } = made(asked, intent, [])
      const entry = entryOf(asked, intent, 'capture', intent.amount_received)
      return { ...answer, facts: [...facts, entry, ...capturedBy(asked.memory, intent)] }
    },
  },
  {
    method: 'POST',
    path: `${intents}/:id/cancel`,
    operation: 'cancel',
    work(asked) {
      const before = knownIntent(asked)
      const reason = asked.form.oneOf('cancellation_reason', ['abandoned', 'requested_by_customer'])
      if (before.status === 'succeeded' || before.status === 'canceled') throw unexpectedState(asked, before)
      const intent = ended(before, { at_ms: asked.nowMs, reason })
      const { facts = [], ...answer } = made(asked, intent, [])
      const wasHeld = before.status === 'requires_capture'
      return {
        ...answer,
        facts: [...facts, ...(wasHeld ? [entryOf(asked, intent, 'void', intent.amount)] : [])],
      }
    },
  },
]

/** What other accounts take is theirs. */
function ownIntents({ memory, account }: Asked): Intent[] {
  return [...memory.intents.values()].filter(({ owner }) => isShownTo(account, owner))
}

/** An intent as it is made: nothing was tried, and nothing is held. */
function intentIn(asked: Asked, isConfirmed: boolean): { intent: Intent; before: Fact[] } {
  const { form, nowMs, memory } = asked
  const amount = form.requiredNumber('amount')
  const currency = form.required('currency')
  const refused = (code: string, param: string, message: string) =>
    new StripeError(400, { code, param, message })
  checkMoney(currency, amount)
  if (amount < amountMin) throw refused('amount_too_small', 'amount', 'Amount is too small')
  if (amount > amountMax) throw refused('amount_too_large', 'amount', 'Amount is too large')
  const customer = form.text('customer')
  if (customer !== null) customerIn(memory, customer)
  form.list('allowed_payment_method_types')
  form.group('automatic_payment_methods')
  const named = isConfirmed ? null : form.text('payment_method')
  const { method, isNew } = named === null ? { method: null, isNew: [] } : methodNamed(asked, named)
  if (method?.customer != null && method.customer !== customer) throw foreignMethod()
  // Stripe captures at once unless it is told otherwise.
  const capture = form.oneOf('capture_method', ['manual', 'automatic', 'automatic_async']) ?? 'automatic'
  const intent: Intent = {
    id: newId('pi'),
    status: method === null ? 'requires_payment_method' : 'requires_confirmation',
    amount,
    amount_received: 0,
    amount_refunded: 0,
    currency,
    capture_method: capture === 'manual' ? 'manual' : 'automatic',
    description: form.text('description'),
    metadata: form.group('metadata'),
    customer,
    payment_method: method?.id ?? null,
    setup_future_usage: form.oneOf('setup_future_usage', ['off_session', 'on_session']),
    on_behalf_of: form.text('on_behalf_of'),
    destination: form.text('transfer_data[destination]'),
    application_fee_amount: form.number('application_fee_amount'),
    last_payment_error: null,
    asking: null,
    paid_by: null,
    owner: asked.account.profile,
    canceled: null,
    created_ms: nowMs,
    held_ms: null,
    held_until_ms: null,
    captured_ms: null,
  }
  return { intent, before: [...isNew] }
}

type Confirming = {
  readonly method: string | null
  /** The token that pays; null: a card does. */
  readonly token: string | null
  readonly isOffSession: boolean
  readonly returnUrl: string | null
}

function confirmingIn({ form }: Asked): Confirming {
  return {
    method: form.text('payment_method'),
    token: tokenNamedIn(form),
    isOffSession: form.flag('off_session') ?? false,
    returnUrl: form.text('return_url'),
  }
}

function confirm(
  asked: Asked,
  before: Intent,
  { token, ...confirming }: Confirming & { readonly before: readonly Fact[] },
): Done {
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(before.status))
    throw unexpectedState(asked, before)
  if (token !== null) return confirmByToken(asked, before, token)
  const named = confirming.method ?? before.payment_method
  if (named === null)
    throw new StripeError(400, {
      code: 'parameter_missing',
      param: 'payment_method',
      message: 'You cannot confirm this PaymentIntent because it is missing a payment method.',
    })
  const { method, isNew } = methodNamed(asked, named)
  if (method.customer !== null && method.customer !== before.customer) throw foreignMethod()
  const outcome = outcomeOf(cardOf(method), {
    isOffSession: confirming.isOffSession,
    isSetUp: method.is_set_up,
    isAuthenticated: false,
  })
  const intent = tried({ ...before, payment_method: method.id }, outcome, {
    nowMs: asked.nowMs,
    returnUrl: confirming.returnUrl,
    holdMs: holdMsOf(asked.memory, cardOf(method), confirming.isOffSession),
  })
  return confirmed(asked, intent, [...confirming.before, ...isNew])
}

function confirmByToken(asked: Asked, before: Intent, id: string): Done {
  const { memory, nowMs, account } = asked
  const token = memory.tokens.get(id)
  const outcome = payBy(token, before, { profile: account.profile, memory, nowMs })
  const holdMs = holdMsOf(memory, null, true)
  const intent = { ...tried(before, outcome, { nowMs, returnUrl: null, holdMs }), paid_by: token?.id ?? null }
  const used: Fact[] =
    token && outcome === 'approved'
      ? [
          {
            kind: 'token',
            value: { ...token, deactivated_reason: 'consumed', amount_captured: intent.amount_received },
          },
        ]
      : []
  return confirmed(asked, intent, used)
}

/** The intent after a payment was tried. */
function tried(
  intent: Intent,
  outcome: 'approved' | 'acting' | Decline,
  { nowMs, returnUrl, holdMs }: { nowMs: number; returnUrl: string | null; holdMs: number },
): Intent {
  const clean = { ...intent, last_payment_error: null, asking: null }
  if (outcome === 'acting')
    return { ...clean, status: 'requires_action', asking: { return_url: returnUrl, asked_ms: nowMs } }
  if (outcome !== 'approved')
    return { ...clean, status: 'requires_payment_method', payment_method: null, last_payment_error: outcome }
  return intent.capture_method === 'manual'
    ? { ...clean, status: 'requires_capture', held_ms: nowMs, held_until_ms: nowMs + holdMs }
    : { ...clean, status: 'succeeded', amount_received: intent.amount, held_ms: nowMs, captured_ms: nowMs }
}

function confirmed(asked: Asked, intent: Intent, before: readonly Fact[]): Done {
  const { last_payment_error: error } = intent
  const result = error === null ? intent.status : 'declined'
  const { facts = [], ...answer } = made(asked, intent, before)
  const all = [...facts, entryOf(asked, intent, 'confirm', intent.amount, result)]
  if (error === null) return { ...answer, facts: all }
  const { status, fields } = declinedBy(error, { payment_intent: renderIntent(intent, asked) })
  return { status, body: { error: fields }, facts: all }
}

/** The holder of the card has said yes or no at the page of their bank. */
export function confirmedByHolder(
  memory: Memory,
  intent: Intent,
  { isYes, nowMs }: { isYes: boolean; nowMs: number },
): Fact[] {
  const method = memory.methods.get(intent.payment_method ?? '')
  const outcome: 'approved' | 'acting' | Decline = !isYes
    ? { code: 'payment_intent_authentication_failure' }
    : method
      ? outcomeOf(cardOf(method), { isOffSession: false, isSetUp: method.is_set_up, isAuthenticated: true })
      : 'approved'
  const holdMs = holdMsOf(memory, method ? cardOf(method) : null, false)
  const value = tried(intent, outcome, { nowMs, returnUrl: null, holdMs })
  const result = value.last_payment_error === null ? value.status : 'declined'
  return [
    { kind: 'intent', value },
    logged({ intent: value, operation: 'holder', amount: value.amount, result, key: null }),
  ]
}

function captured(asked: Asked, intent: Intent): Intent {
  if (intent.canceled?.reason === 'automatic')
    throw new StripeError(400, {
      code: 'charge_expired_for_capture',
      message: 'The charge has expired and can no longer be captured.',
    })
  if (intent.status !== 'requires_capture') throw unexpectedState(asked, intent)
  const amount = asked.form.number('amount_to_capture') ?? intent.amount
  if (amount > intent.amount)
    throw new StripeError(400, { code: 'amount_too_large', param: 'amount_to_capture', message: 'Too much' })
  checkAmount(intent.currency, { amount, param: 'amount_to_capture' })
  return { ...intent, status: 'succeeded', amount_received: amount, captured_ms: asked.nowMs }
}

function capturedBy(memory: Memory, { paid_by, amount_received }: Intent): Fact[] {
  const token = paid_by === null ? undefined : memory.tokens.get(paid_by)
  return token ? [{ kind: 'token', value: { ...token, amount_captured: amount_received } }] : []
}

function knownIntent({ memory, call, nowMs }: Asked): Intent {
  const intent = memory.intents.get(call.params.id ?? '')
  if (intent === undefined) throw noSuch('payment_intent', 'intent', 404)
  return standing(intent, nowMs)
}

function foreignMethod(): StripeError {
  return new StripeError(400, {
    param: 'payment_method',
    message: 'The provided PaymentMethod cannot be attached. It belongs to another customer.',
  })
}

function made(asked: Asked, intent: Intent, before: readonly Fact[]): Done {
  return {
    body: renderIntent(intent, withMethods(asked, before)),
    facts: [...before, { kind: 'intent', value: intent }],
  }
}

/** A card that is named once is known to its charge, too. */
function withMethods(asked: Asked, before: readonly Fact[]): Asked {
  const named = before.flatMap((fact) =>
    fact.kind === 'method' ? [[fact.value.id, fact.value] as const] : [],
  )
  if (named.length === 0) return asked
  const methods = new Map([...asked.memory.methods, ...named])
  return { ...asked, memory: { ...asked.memory, methods } }
}

export function entryOf(
  { call }: Asked,
  intent: Intent,
  operation: string,
  amount: number,
  result = 'succeeded',
): Fact {
  return logged({ intent, operation, amount, result, key: call.header('idempotency-key') ?? null })
}

type Logged = { intent: Intent; operation: string; amount: number; result: string; key: string | null }

function logged({ intent, operation, amount, result, key }: Logged): Fact {
  const { id: payment_intent, description: reference, currency } = intent
  const at = new Date().toISOString()
  return { kind: 'entry', value: { at, operation, key, payment_intent, reference, amount, currency, result } }
}

function unexpectedState(asked: Asked, intent: Intent): StripeError {
  return new StripeError(400, {
    code: 'payment_intent_unexpected_state',
    message: `This PaymentIntent has a status of ${intent.status}`,
    payment_intent: renderIntent(intent, asked),
  })
}
