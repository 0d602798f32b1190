import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { RailCharge } from '../../src/domain/buying/rails/port.ts'
import { openStripeRail } from '../harness/stripe-rail.ts'
import { call, done } from './payment-rail/rail-under-test.ts'

const { stripe, rail, charge, reset, stop } = await openStripeRail()
afterEach(reset)
afterAll(stop)

async function held(more: Partial<RailCharge> = {}) {
  return done(await (await charge(more)).send())
}

const confirmed = 'confirm 700 requires_capture'

describe('a charge', () => {
  test('holds the money of a token once, however often it is sent', async () => {
    const one = await charge()
    const first = done(await one.send())
    expect(first).toMatchObject({ status: 'authorized', amount: 700n, capturedAmount: 0n, currency: 'USD' })
    expect(done(await one.send()).reference).toBe(first.reference)
    expect(done(await one.ask()).reference).toBe(first.reference)
    expect(await one.money()).toEqual([confirmed])
  })

  test('two at once under one key make one hold', async () => {
    const one = await charge()
    const answers = await Promise.all([one.send(), one.send(), one.send()])
    for (const { kind } of answers) expect(['done', 'unknown']).toContain(kind)
    expect((await one.ask()).kind).toBe('done')
    expect(await one.money()).toEqual([confirmed])
  })

  test.each([
    ['a decline', { payment_method: 'pm_card_visa_chargeDeclined' }, 'declined', 'generic_decline'],
    [
      'no funds',
      { payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' },
      'declined',
      'insufficient_funds',
    ],
    [
      'a buyer who must act',
      { payment_method: 'pm_card_authenticationRequired' },
      'declined',
      'authentication_required',
    ],
    ['too low a limit', { max_amount: 699 }, 'over_limit', null],
    ['another currency', { currency: 'eur' }, 'wrong_currency', null],
    ['a token that is over', { expires_at: 1_700_000_000 }, 'token_deactivated', 'expired'],
  ] as const)('is refused for good, and holds nothing: %s', async (_, grant, code, declineCode) => {
    const one = await charge({ credential: await stripe.grant(grant) })
    expect(await one.send()).toEqual({ kind: 'refused', refusal: { code, declineCode } })
    expect(await one.send()).toMatchObject({ kind: 'refused' })
    expect((await one.money()).filter((line) => line.includes('requires_capture'))).toEqual([])
    expect(['refused', 'closed']).toContain((await one.close()).kind)
  })

  test('is refused by a token that was revoked, used, or never was', async () => {
    const revoked = await stripe.grant()
    await stripe.revoke(revoked)
    const used = await stripe.grant()
    await held({ credential: used })
    const code = async (credential: string) => {
      const answer = await (await charge({ credential })).send()
      return answer.kind === 'refused' ? [answer.refusal.code, answer.refusal.declineCode] : answer.kind
    }
    expect(await code(revoked)).toEqual(['token_deactivated', 'revoked'])
    expect(await code(used)).toEqual(['token_deactivated', 'consumed'])
    expect(await code('spt_nothing')).toEqual(['token_unknown', null])
    expect(await code('spt_../../control/faults?x=#')).toEqual(['token_unknown', null])
  })

  test.each([
    ['less than Stripe takes', { amount: 49n }, 'amount_too_small'],
    ['hundredths that Stripe does not count', { currency: 'MGA', amount: 70_001n }, 'currency_not_supported'],
    ['a thousandth', { currency: 'KWD', amount: 1001n }, 'currency_not_supported'],
  ])('of %s is refused before anything is held', async (_, more, code) => {
    const one = await charge(more)
    expect(await one.send()).toEqual({ kind: 'refused', refusal: { code, declineCode: null } })
    expect(await one.money()).toEqual([])
  })
})

describe('an answer that is lost', () => {
  test.each([
    ['create', 'lose_answer', 'not_found'],
    ['create', 'drop_request', 'not_found'],
    ['create', 'fail_after', 'not_found'],
    ['confirm', 'drop_request', 'not_found'],
    ['confirm', 'lose_answer', 'done'],
    ['confirm', 'fail_after', 'done'],
  ])('of %s by %s is unknown until it is asked for: %s', async (operation, fault, memory) => {
    const one = await charge()
    await stripe.fault(operation, fault)
    expect(await one.send()).toEqual({ kind: 'unknown' })
    expect((await one.ask()).kind).toBe(memory)
    // Stripe repeats its failure to a key for a day.
    if (fault === 'fail_after') return
    expect((await one.send()).kind).toBe('done')
    expect(await one.money()).toEqual([confirmed])
  })

  test('is asked for without waiting for the search', async () => {
    await stripe.searchDelay(3_600_000)
    const one = await charge()
    await stripe.fault('confirm', 'lose_answer')
    expect(await one.send()).toEqual({ kind: 'unknown' })
    expect((await one.ask()).kind).toBe('done')
  })

  test('and a key that Stripe has forgotten: the search finds what was made under it', async () => {
    const one = await charge()
    await stripe.fault('confirm', 'lose_answer')
    await one.send()
    await stripe.forgetKeys()
    // The first question makes an intent, after which the key is known again.
    expect((await one.ask()).kind).toBe('done')
    expect((await one.ask()).kind).toBe('done')
  })

  test('and a search that fails is no "not found"', async () => {
    const one = await charge()
    await stripe.fault('confirm', 'lose_answer')
    await one.send()
    await stripe.forgetKeys()
    await stripe.fault('search', 'status=429;retry_after=7', 3)
    const busy = { kind: 'not_now', reason: 'busy', retryAfterSeconds: 7 }
    expect([await one.ask(), await one.ask(), await one.close()]).toEqual([busy, busy, busy])
    await stripe.fault('search', 'drop_request')
    expect(await one.ask()).toEqual({ kind: 'unknown' })
    expect((await one.ask()).kind).toBe('done')
  })
})

describe('a key that is closed', () => {
  test('holds nothing any more, and what arrives late is refused', async () => {
    const one = await charge()
    expect(await one.close()).toEqual({ kind: 'closed' })
    expect(await one.send()).toEqual({ kind: 'refused', refusal: { code: 'closed', declineCode: null } })
    expect([(await one.close()).kind, (await one.ask()).kind]).toEqual(['closed', 'closed'])
    expect(await one.money()).toEqual([])
  })

  test('releases what was held, and a confirmation under way finds it closed', async () => {
    const one = await charge()
    await one.send()
    expect(await one.close()).toEqual({ kind: 'closed' })
    expect(await one.money()).toEqual([confirmed, 'void 700 succeeded'])
    const other = await charge()
    await stripe.fault('confirm', 'delay=400')
    const late = other.send()
    await expect.poll(() => other.close()).toEqual({ kind: 'closed' })
    expect((await late).kind).not.toBe('done')
    const money = await other.money()
    const [isHeld = 0, voided = 0] = ['requires_capture', 'void'].map(
      (word) => money.filter((line) => line.includes(word)).length,
    )
    expect(isHeld).toBe(voided)
  })

  test('after Stripe has forgotten it: everything that was made under it is released', async () => {
    const one = await charge()
    await one.send()
    await stripe.forgetKeys()
    expect(await one.close()).toEqual({ kind: 'closed' })
    expect(await one.money()).toEqual([confirmed, 'void 700 succeeded'])
  })

  test('is not closed as long as Stripe does not cancel', async () => {
    const one = await charge()
    await one.send()
    await stripe.fault('cancel', 'fail')
    expect(await one.close()).toEqual({ kind: 'unknown' })
    expect(await one.close()).toEqual({ kind: 'closed' })
  })

  test('that Stripe failed to make, and says so for a day: nothing can be confirmed by it', async () => {
    const one = await charge()
    await stripe.fault('create', 'fail')
    expect([(await one.send()).kind, (await one.send()).kind]).toEqual(['unknown', 'unknown'])
    expect(await one.close()).toEqual({ kind: 'closed' })
    expect(await one.money()).toEqual([])
  })

  test('of a capture releases the hold, and never undoes a capture', async () => {
    const { reference } = await held()
    const input = { key: randomUUID(), reference, amount: 700n, currency: 'USD' }
    expect(await rail.close({ step: 'capture', input }, call)).toEqual({ kind: 'closed' })
    expect(await rail.capture(input, call)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'authorization_voided' },
    })
    const other = await held()
    const capture = { key: randomUUID(), reference: other.reference, amount: 700n, currency: 'USD' }
    done(await rail.capture(capture, call))
    expect(await rail.close({ step: 'capture', input: capture }, call)).toMatchObject({
      kind: 'done',
      value: { capturedAmount: 700n },
    })
  })
})

describe('a hold', () => {
  test('is captured once, also in part, and refunded in parts', async () => {
    const { reference } = await held()
    const input = { key: randomUUID(), reference, amount: 600n, currency: 'USD' }
    const sent = { step: 'capture', input } as const
    expect((await rail.ask(input.key, call, sent)).kind).toBe('not_found')
    expect(await rail.capture({ ...input, amount: 701n }, call)).toMatchObject({
      refusal: { code: 'over_authorized_amount' },
    })
    const captured = done(await rail.capture(input, call))
    expect(captured).toMatchObject({ status: 'captured', capturedAmount: 600n, captureReference: reference })
    expect(done(await rail.capture(input, call)).capturedAmount).toBe(600n)
    expect(await rail.capture({ ...input, amount: 500n }, call)).toMatchObject({
      refusal: { code: 'already_captured' },
    })
    expect((await rail.ask(input.key, call, sent)).kind).toBe('done')
    expect(await rail.void({ key: 'v', reference }, call)).toMatchObject({
      refusal: { code: 'already_captured' },
    })
    for (const amount of [200n, 400n]) {
      const refund = { key: randomUUID(), reference, amount, currency: 'USD' }
      const asked = () => rail.ask(refund.key, call, { step: 'refund', input: refund })
      expect((await asked()).kind).toBe('not_found')
      await stripe.fault('refund', 'lose_answer')
      expect(await rail.refund(refund, call)).toEqual({ kind: 'unknown' })
      expect(done(await asked())).toMatchObject({ status: 'refunded', amount })
      expect(done(await rail.refund(refund, call)).amount).toBe(amount)
    }
    expect(await rail.get('authorization', reference, call)).toMatchObject({ value: { status: 'refunded' } })
    expect(await rail.refund({ key: 'more', reference, amount: 1n, currency: 'USD' }, call)).toMatchObject({
      refusal: { code: 'over_captured_amount' },
    })
  })

  test('is released once, and a lost answer is known by the hold', async () => {
    const { reference } = await held()
    const input = { key: randomUUID(), reference }
    await stripe.fault('cancel', 'lose_answer')
    expect(await rail.void(input, call)).toEqual({ kind: 'unknown' })
    expect(done(await rail.ask(input.key, call, { step: 'void', input })).status).toBe('voided')
    expect(done(await rail.void(input, call)).status).toBe('voided')
  })

  test('that Stripe does not know is no refusal', async () => {
    const none = { key: 'k', reference: 'pi_none', amount: 1n, currency: 'USD' }
    for (const answer of [
      await rail.capture(none, call),
      await rail.void(none, call),
      await rail.refund(none, call),
      await rail.get('authorization', none.reference, call),
    ])
      expect(answer).toEqual({ kind: 'not_now', reason: 'no_object', retryAfterSeconds: null })
  })
})

test.each([
  ['credentials', 401],
  ['permission', 403],
  ['busy', 429],
] as const)('a call that is turned away did nothing: %s', async (reason, status) => {
  const answer = { kind: 'not_now', reason, retryAfterSeconds: 30 }
  const fault = `status=${status};retry_after=30`
  for (const operation of ['create', 'confirm']) {
    const one = await charge()
    await stripe.fault(operation, fault)
    expect(await one.send()).toEqual(answer)
    expect(await one.money()).toEqual([])
    expect((await one.send()).kind).toBe('done')
  }
  const { reference } = await held()
  await stripe.fault('capture', fault)
  expect(await rail.capture({ key: 'c', reference, amount: 700n, currency: 'USD' }, call)).toEqual(answer)
  await stripe.fault('cancel', fault)
  expect(await rail.void({ key: 'v', reference }, call)).toEqual(answer)
  expect((await rail.get('authorization', reference, call)).kind).toBe('done')
})

test('a question without its call is never answered with "not found", and what is not offered is refused', async () => {
  const one = await charge()
  await one.send()
  expect(await rail.ask(one.key, call)).toEqual({ kind: 'unknown' })
  const card = { testCard: 'visa_auto_approved', vaultToken: '' }
  const { credential: _, ...terms } = one.input
  const credential = { ...terms, card, limit: 700n, expiresAt: new Date(Date.now() + 60_000) }
  expect(await rail.issueCredential(credential, call)).toMatchObject({ refusal: { code: 'not_offered' } })
})

test('says in whose name its cards are issued, which shops are told as whom they bill', async () => {
  expect(await rail.readHolder?.(call)).toEqual({
    name: 'Prokura Operations',
    line1: '1 Main Street',
    line2: null,
    city: 'Austin',
    state: 'TX',
    postalCode: '78701',
    country: 'US',
  })
  await stripe.fault('read_cardholder', 'status=403')
  expect(await rail.readHolder?.(call)).toBeNull()
})
