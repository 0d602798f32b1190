import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { HoldAnswer, RailAuthorize } from '../../src/domain/buying/rails/port.ts'
import { openStripeRail } from '../harness/stripe-rail.ts'
import { call, done, type RailUnderTest } from './payment-rail/rail-under-test.ts'
import { conformsToPaymentRail } from './payment-rail.ts'

/**
 * The requests at Stripe at which a call of the rail is disturbed. What became of a key is looked for by making its intent again; what is
 * held is read.
 */
const requests: Readonly<Record<string, readonly string[]>> = {
  authorize: ['confirm'],
  capture: ['capture'],
  void: ['cancel'],
  refund: ['refund'],
  query: ['create', 'read'],
  close: ['create'],
}

const statuses = [
  ['credentials', 401],
  ['permission', 403],
  ['busy', 429],
] as const

conformsToPaymentRail('Stripe', openWorld, { issuesCredentials: false })

async function openWorld(): Promise<RailUnderTest> {
  const { rail, stripe, stop } = await openStripeRail()
  async function fault(operation: string, how: string): Promise<void> {
    await stripe.clearFaults()
    for (const one of requests[operation] ?? []) await stripe.fault(one, how)
  }
  return {
    rail,
    goodCard: { testCard: 'visa_auto_approved', vaultToken: 'none' },
    declinedCard: {
      card: { testCard: 'visa_insufficient_funds', vaultToken: 'none' },
      declineCode: 'insufficient_funds',
    },
    disturb: (operation, how) => fault(operation, how === 'delay' ? 'delay=300' : how),
    turnAway: Object.fromEntries(
      statuses.map(([reason, status]) => [
        reason,
        (operation: string, seconds: number | null) =>
          fault(operation, seconds === null ? `status=${status}` : `status=${status};retry_after=${seconds}`),
      ]),
    ),
    forgetKeys: () => stripe.forgetKeys(),
    stop,
  }
}

describe('a card that Stripe keeps', async () => {
  const { rail, stripe, reset, stop } = await openStripeRail()
  afterEach(reset)
  afterAll(stop)

  async function authorization(method: string, more: Partial<RailAuthorize> = {}) {
    const key = randomUUID()
    const input: RailAuthorize = {
      key,
      card: { testCard: null, vaultToken: 'none', saved: await stripe.keepCard(method) },
      amount: 700n,
      currency: 'USD',
      merchant: 'shop.example',
      reference: `test ${key}`,
      ...more,
    }
    const sent = { step: 'authorize', input } as const
    return {
      send: () => rail.authorize(input, call),
      ask: () => rail.ask(key, call, sent),
      close: () => rail.close(sent, call),
      money: () => stripe.moneyOf(key),
    }
  }

  /** The page of the bank, from an answer that names it. */
  function pageIn(answer: HoldAnswer | { kind: string }): string {
    if (answer.kind !== 'needs_person' || !('url' in answer))
      throw new Error(`no person is asked: ${answer.kind}`)
    const minutes = (answer.until.getTime() - Date.now()) / 60_000
    expect([minutes > 28, minutes <= 30]).toEqual([true, true])
    return answer.url
  }

  test('is charged without its person, once they have set it up for that', async () => {
    const { send } = await authorization('pm_card_authenticationRequiredOnSetup')
    expect(done(await send())).toMatchObject({ status: 'authorized', amount: 700n })
  })

  test('can be one that is kept and pays nothing', async () => {
    const { send, close } = await authorization('pm_card_chargeCustomerFail')
    expect(await send()).toEqual({
      kind: 'refused',
      refusal: { code: 'declined', declineCode: 'generic_decline' },
    })
    expect(['refused', 'closed']).toContain((await close()).kind)
  })

  test('holds nothing before its person has confirmed the payment at their bank, and then once', async () => {
    const { send, ask, money } = await authorization('pm_card_authenticationRequired')
    const page = pageIn(await send())
    expect(pageIn(await send())).toBe(page)
    expect(pageIn(await ask())).toBe(page)
    expect((await money()).filter((line) => line.includes('requires_capture'))).toEqual([])
    await stripe.answerAtBank(page, 'complete')
    const held = done(await ask())
    expect(held).toMatchObject({ status: 'authorized', amount: 700n, capturedAmount: 0n })
    expect(done(await send()).reference).toBe(held.reference)
    expect((await money()).filter((line) => line.includes('requires_capture'))).toEqual([
      'holder 700 requires_capture',
    ])
  })

  test.each([
    ['refuses it', 'pm_card_authenticationRequired', 'fail', 'authentication_failed', null],
    [
      'confirms it, and has no money',
      'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
      'complete',
      'declined',
      'insufficient_funds',
    ],
  ] as const)('is refused for good where its person %s', async (_, method, says, code, declineCode) => {
    const { send, ask, close } = await authorization(method)
    await stripe.answerAtBank(pageIn(await send()), says)
    expect(await ask()).toEqual({ kind: 'refused', refusal: { code, declineCode } })
    expect(['refused', 'closed']).toContain((await close()).kind)
  })

  test('holds nothing for a person who comes after their time', async () => {
    const { send, close, money } = await authorization('pm_card_authenticationRequired')
    const page = pageIn(await send())
    expect(await close()).toEqual({ kind: 'closed' })
    expect(await stripe.answerAtBank(page, 'complete')).toBe(410)
    expect((await money()).filter((line) => line.includes('requires_capture'))).toEqual([])
  })

  test.each([
    ['lose_answer', 'confirm'],
    ['fail_after', 'confirm'],
  ])('asks its person once where an answer was lost: %s at %s', async (fault, operation) => {
    const { send, ask } = await authorization('pm_card_authenticationRequired')
    await stripe.fault(operation, fault)
    expect((await send()).kind).toBe('unknown')
    await stripe.answerAtBank(pageIn(await ask()), 'complete')
    expect(done(await ask()).status).toBe('authorized')
  })

  test('gives back by itself what nobody captures in time, and then takes no capture', async () => {
    const { send } = await authorization('pm_card_visa')
    const { reference } = done(await send())
    await stripe.forward(5 * 86_400)
    expect(await rail.get('authorization', reference, call)).toMatchObject({ value: { status: 'voided' } })
    const capture = { key: randomUUID(), reference, amount: 700n, currency: 'USD' }
    expect(await rail.capture(capture, call)).toEqual({
      kind: 'refused',
      refusal: { code: 'authorization_expired', declineCode: null },
    })
  })
})
