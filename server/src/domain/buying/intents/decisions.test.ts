import { expect, test } from 'vitest'
import { type CartRow, canCancelCart, canRetryCart } from './cart.ts'
import { atStage } from './cart-stage.ts'
import { capOf, decideCreate } from './create/decide-create.ts'
import { approvalRefusal } from './decide/decide-approve.ts'
import { decideCancel } from './decide/decide-cancel.ts'
import { decidePriceRefusal } from './decide/decide-price-answer.ts'
import { confirmingCart, paymentAction } from './decide/payment-action.ts'
import { decideFinish, decideReconciled } from './decide-finish.ts'
import { failureOf } from './failure.ts'
import { intentStatuses } from './machine.ts'
import { decideRetry } from './retry/decide-retry.ts'

const now = new Date('2026-03-01T12:00:00Z')

function cart(id: string, over: Partial<CartRow> = {}): CartRow {
  return {
    id: `cart_${id}`,
    intent_id: 'pi_1',
    position: 0,
    merchant_name: 'Shop',
    merchant_domain: 'shop.example',
    merchant_account_id: null,
    channel: 'simulated',
    route: null,
    items: [],
    status: 'in_progress',
    ...atStage({ kind: 'none' }),
    attempt_number: 1,
    attempt_id: 'att_1',
    max_attempts: 3,
    currency: 'EUR',
    expected_amount: 1000n,
    max_allowed_amount: 1500n,
    actual_amount: 0n,
    refunded_amount: 0n,
    hold: null,
    question: null,
    answers: null,
    fee_allowance: 300n,
    tax_allowance: 120n,
    tolerance_basis_points: 500,
    offer: null,
    promo: null,
    order_row_id: null,
    order_url: null,
    order_id: null,
    transaction_id: null,
    failure: null,
    outcome_known: true,
    past_no_return: false,
    attempts_data: [],
    due_at: now,
    lease_until: null,
    lease_token: 0n,
    started_at: now,
    completed_at: null,
    created_at: now,
    updated_at: now,
    ...over,
  }
}

const succeeded = cart('s', { status: 'succeeded', actual_amount: 1200n, past_no_return: true })
const failed = cart('f', { status: 'failed', failure: failureOf('payment_declined') })
const cancelled = cart('c', { status: 'cancelled' })
const unknown = cart('u', { status: 'failed', outcome_known: false, failure: failureOf('outcome_unknown') })
const running = cart('r')
const gone = cart('g', { past_no_return: true })

test.each([
  { what: 'one runs', carts: [succeeded, running], end: null },
  { what: 'there are none', carts: [], end: null },
  {
    what: 'all succeeded',
    carts: [succeeded],
    end: { status: 'succeeded', partial: false, reservation: 'settle' },
  },
  {
    what: 'one was cancelled',
    carts: [succeeded, cancelled],
    end: { status: 'succeeded', partial: true, reservation: 'settle' },
  },
  {
    what: 'one failed',
    carts: [succeeded, failed],
    end: { status: 'failed', partial: true, reservation: 'settle' },
  },
  {
    what: 'all failed',
    carts: [failed, cancelled],
    end: { status: 'failed', partial: false, reservation: 'release' },
  },
  {
    what: 'all were cancelled',
    carts: [cancelled],
    end: { status: 'cancelled', partial: false, reservation: 'release' },
  },
  {
    what: 'nobody knows of one',
    carts: [failed, unknown],
    end: { status: 'failed', partial: false, reservation: 'keep' },
  },
])('an approved intent ends as its carts say when $what', ({ carts, end }) => {
  const finish = decideFinish('approved', carts)
  if (end === null) expect(finish).toBeNull()
  else expect(finish).toMatchObject(end)
})

test('an intent whose cart may have been charged names the failure and asks a person', () => {
  expect(decideFinish('queued', [failed, unknown])).toMatchObject({
    failure: { code: 'outcome_unknown' },
    nextAction: { type: 'resolve_unknown_outcome', cart_id: unknown.id },
  })
})

test('carts end an intent that awaits an approval only by failing, when its last payment was not confirmed', () => {
  expect(decideFinish('awaiting_approval', [failed])).toMatchObject({ status: 'failed' })
  expect(decideFinish('awaiting_approval', [succeeded])).toBeNull()
})

test.each(['succeeded', 'failed', 'cancelled', 'declined'] as const)(
  'carts never end an intent that is %s',
  (status) => {
    expect(decideFinish(status, [failed])).toBeNull()
  },
)

test('a person who says that everything was placed makes the purchase succeed', () => {
  expect(decideReconciled([succeeded, cancelled])).toMatchObject({
    status: 'succeeded',
    partial: true,
    nextAction: null,
  })
  expect(decideReconciled([succeeded, failed])).toMatchObject({
    status: 'failed',
    partial: true,
    reservation: 'settle',
  })
  expect(decideReconciled([failed])).toMatchObject({
    status: 'failed',
    partial: false,
    reservation: 'release',
  })
})

test.each(
  intentStatuses.filter(
    (status) =>
      !['awaiting_approval', 'queued', 'approved', 'awaiting_merchant_auth', 'merchant_auth_failed'].includes(
        status,
      ),
  ),
)('an intent that is %s cannot be cancelled', (status) => {
  expect(decideCancel(status, [running], null)).toEqual({ ok: false, refusal: { code: 'not_cancellable' } })
})

test.each([
  { what: 'before execution', carts: [], named: null, ids: [], isWhole: true },
  {
    what: 'while carts run',
    carts: [running, failed, cancelled],
    named: null,
    ids: [running.id],
    isWhole: true,
  },
  { what: 'one by one', carts: [running, succeeded], named: [running.id], ids: [running.id], isWhole: false },
  {
    what: 'the last one',
    carts: [running, cancelled],
    named: [running.id],
    ids: [running.id],
    isWhole: true,
  },
])('a cancel stops what can be stopped: $what', ({ carts, named, ids, isWhole }) => {
  expect(decideCancel('approved', carts, named)).toEqual({ ok: true, value: { cartIds: ids, isWhole } })
})

test.each([
  { what: 'a cart is past its point of no return', carts: [running, gone], named: null },
  { what: 'a cart was bought', carts: [running, succeeded], named: null },
  { what: 'a cart may have been bought', carts: [running, unknown], named: null },
  {
    what: 'the cart that was named is past its point of no return',
    carts: [running, gone],
    named: [gone.id],
  },
  { what: 'the cart that was named is over', carts: [running, cancelled], named: [cancelled.id] },
])('a cancel is refused when $what', ({ carts, named }) => {
  expect(decideCancel('approved', carts, named)).toEqual({ ok: false, refusal: { code: 'not_cancellable' } })
})

test('a cart of another intent is not found by any decision', () => {
  const refusal = { ok: false, refusal: { code: 'not_found', index: 1 } }
  expect(decideCancel('approved', [running], [running.id, 'cart_x'])).toEqual(refusal)
  expect(decideRetry('failed', [failed], [failed.id, 'cart_x'])).toEqual(refusal)
})

test('a retry takes the carts that failed with a known outcome and have attempts left', () => {
  const last = cart('l', { status: 'failed', attempt_number: 3 })
  const dirty = cart('d', { status: 'failed', stage: 'cleanup' })
  expect(decideRetry('failed', [failed, last, dirty, unknown, succeeded], null)).toEqual({
    ok: true,
    value: [failed],
  })
  for (const refused of [last, dirty, unknown, succeeded, running]) {
    expect(decideRetry('failed', [failed, refused], [refused.id])).toEqual({
      ok: false,
      refusal: { code: 'not_retryable' },
    })
  }
  expect(decideRetry('failed', [last], null)).toEqual({ ok: false, refusal: { code: 'not_retryable' } })
})

test.each(intentStatuses.filter((status) => status !== 'failed'))(
  'an intent that is %s cannot be retried',
  (status) => {
    expect(decideRetry(status, [failed], null)).toEqual({ ok: false, refusal: { code: 'not_retryable' } })
  },
)

test('a cart can be cancelled until its point of no return, and retried only when it failed', () => {
  expect([running, gone, succeeded, failed, cancelled, unknown].map(canCancelCart)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
  expect([running, gone, succeeded, failed, cancelled, unknown].map(canRetryCart)).toEqual([
    false,
    false,
    false,
    true,
    false,
    false,
  ])
})

test.each([
  { what: 'nothing else was begun', others: [], outcome: 'declined', stopped: 0 },
  { what: 'another cart can still be stopped', others: [running], outcome: 'declined', stopped: 1 },
  { what: 'another cart was bought', others: [succeeded, running], outcome: 'failed', stopped: 1 },
  { what: 'another cart may have been bought', others: [unknown], outcome: 'failed', stopped: 0 },
  { what: 'another cart can no longer be stopped', others: [gone, running], outcome: 'goes_on', stopped: 0 },
])('a new price without agreement: $what', ({ others, outcome, stopped }) => {
  const inQuestion = cart('q')
  const decided = decidePriceRefusal([inQuestion, ...others], inQuestion.id)
  expect({ outcome: decided.outcome, stopped: decided.stopped.length }).toEqual({ outcome, stopped })
})

test.each(intentStatuses)('an approval is taken only while the intent awaits one (%s)', (status) => {
  const facts = { tenant: { mode: 'test' as const }, livePayments: false }
  const expected = status === 'awaiting_approval' ? null : 'not_approvable'
  expect(approvalRefusal({ status, is_approval_over: false, next_action: null }, facts)).toBe(expected)
  expect(approvalRefusal({ status, is_approval_over: true, next_action: null }, facts)).toBe('not_approvable')
})

test('no approval stands for the person of a payment', () => {
  const until = new Date('2026-06-01T12:30:00Z')
  const next_action = paymentAction({ cartId: cart('1').id, url: 'https://bank.example/1', until })
  const intent = { status: 'awaiting_approval' as const, is_approval_over: false, next_action }
  const facts = { tenant: { mode: 'test' as const }, livePayments: false }
  expect(approvalRefusal(intent, facts)).toBe('not_approvable')
  expect(confirmingCart(intent)).toBe('cart_1')
  const { cart_id: _, ...beforeCarts } = next_action
  const before = { ...intent, next_action: beforeCarts }
  expect(confirmingCart(before)).toBeNull()
  expect(confirmingCart({ ...intent, status: 'failed' })).toBeNull()
})

test('live mode without a payment rail approves nothing', () => {
  const intent = { status: 'awaiting_approval' as const, is_approval_over: false, next_action: null }
  expect(approvalRefusal(intent, { tenant: { mode: 'live' }, livePayments: false })).toBe(
    'live_payments_not_configured',
  )
  expect(approvalRefusal(intent, { tenant: { mode: 'live' }, livePayments: true })).toBeNull()
})

const facts = { now, policiesAllow: true }

test.each([
  { result: 'deny', attention: { kind: 'none' }, status: 'declined', action: null },
  { result: 'allow', attention: { kind: 'none' }, status: 'queued', action: null },
  {
    result: 'allow',
    attention: { kind: 'no_live_payments' },
    status: 'awaiting_approval',
    action: 'approve',
  },
  { result: 'require_approval', attention: { kind: 'none' }, status: 'awaiting_approval', action: 'approve' },
  {
    result: 'require_approval',
    attention: { kind: 'no_method' },
    status: 'awaiting_approval',
    action: 'select_payment_method',
  },
  {
    result: 'require_approval',
    attention: { kind: 'step_up', method: 'cvc' },
    status: 'awaiting_approval',
    action: 'verify_payment',
  },
] as const)(
  'a verdict of $result with $attention.kind begins $status',
  ({ result, attention, status, action }) => {
    const step = decideCreate({ result, approvalExpiresMinutes: 60 }, attention, facts)
    expect(step.status).toBe(status)
    expect(step.nextAction?.type ?? null).toBe(action)
    expect(step.approvalExpiresAt).toEqual(
      status === 'awaiting_approval' ? new Date('2026-03-01T13:00:00Z') : null,
    )
  },
)

test('a cap is the smaller of what the caller allows and the allowances, lowered by policies', () => {
  const verdict = { cap: 10_000n, feeAllowance: 300n, tolerancePercent: 5 }
  const terms = { expected: 1000n, callerMax: null, tax: 120n }
  expect(capOf(terms, verdict)).toBe(1470n)
  expect(capOf({ ...terms, callerMax: 1100n }, verdict)).toBe(1100n)
  expect(capOf(terms, { ...verdict, cap: 1050n })).toBe(1050n)
  expect(capOf({ ...terms, expected: 1_000_000_000_000n }, verdict)).toBeNull()
  expect(capOf({ ...terms, expected: 1_000_000_000_000n, callerMax: 5n }, verdict)).toBe(5n)
})
