import { describe, expect, test } from 'vitest'
import { advance } from './advance.ts'
import type { CartState } from './cart-state.ts'
import type { FundingRow } from './journal.ts'
import { at, base, effect, hold } from './states.testing.ts'

const hourSeconds = 3_600

/** A cart that was bought at a shop, which has authorized its card and not taken the money. The buyer's hold lasts so long. */
function bought(heldSeconds: number): CartState {
  const authorized = effect('authorize', 'done')
  const funding: FundingRow = {
    cart_id: base.cart.id,
    attempt: 1,
    intent_id: base.intent.id,
    rail: 'sandbox',
    reference: 'held at the buyer',
    amount: 1800n,
    currency: 'EUR',
    status: 'authorized',
    captured_amount: 0n,
    capture_reference: null,
    returned_amount: 0n,
    returning_amount: 0n,
    expires_at: at(heldSeconds),
    created_at: at(0),
    updated_at: at(0),
  }
  const way = { kind: 'outbound', payment: 'credential', hasStrangers: true, form: 'card' } as const
  return {
    ...base,
    cart: {
      ...base.cart,
      status: 'succeeded',
      channel: 'browser',
      merchant_account_id: null,
      order_row_id: 'ord_00000000000000000000000001',
    },
    means: { ...base.means, ways: { browser: { ...way, longestCallMs: 1_000 } }, prefunded: ['sandbox'] },
    holds: [hold('authorized', { kind: 'credential', claimed_at: at(0), claimed_amount: 1800n })],
    fundings: [funding],
    effects: [
      { ...authorized, request: { ...authorized.request, behind: 'card' } },
      effect('issue_credential', 'done'),
      effect('place', 'done', { asked: 1, asked_at: at(0) }),
      effect('revoke', 'done', { asked: 40, asked_at: at(0) }),
    ],
    known: { news: [], railHeld: { rail: 'sandbox', seconds: 0 } },
  }
}

/** What a look at the cart at this time says, and what it does next. */
function look(state: CartState, seconds: number) {
  // The rail was asked at the last moment, so that the look is about the hold.
  const effects = state.effects.map((one) => ({ ...one, asked_at: at(seconds) }))
  const turn = advance({ ...state, effects, now: at(seconds), sayings: [] }, { kind: 'looked' })
  const says = turn.state.sayings.flatMap(({ events }) => events.map(({ type }) => type))
  return { ...turn, says, hold: turn.state.cart.hold }
}

describe.each([
  ['five days', 4 * 24 + 18],
  ['seven days', 7 * 24],
  ['thirty days', 30 * 24],
])('a hold of %s', (_, hours) => {
  const end = hours * hourSeconds
  const ends_at = at(end).toISOString()

  test('says a day and four hours before its end that money may be lost, each once', () => {
    const early = look(bought(end), end - 24 * hourSeconds - 1)
    expect([early.says, early.hold]).toEqual([[], null])
    const first = look(early.state, end - 24 * hourSeconds)
    expect([first.says, first.hold]).toEqual([['cart.hold_ending'], { status: 'ends_in_24_hours', ends_at }])
    expect(look(first.state, end - 4 * hourSeconds - 1).says).toEqual([])
    const second = look(first.state, end - 4 * hourSeconds)
    expect([second.says, second.hold]).toEqual([['cart.hold_ending'], { status: 'ends_in_4_hours', ends_at }])
    expect(look(second.state, end - 2 * hourSeconds).says).toEqual([])
  })

  test('says only the later one where no worker was there for the first', () => {
    const late = look(bought(end), end - 2 * hourSeconds)
    expect([late.says, late.hold?.status]).toEqual([['cart.hold_ending'], 'ends_in_4_hours'])
  })

  test('is captured an hour before its end, for what the shop has authorized, and the cart says so', () => {
    const waiting = look(bought(end), end - hourSeconds - 1)
    expect(waiting.next).toEqual({ kind: 'rest', until: at(end - hourSeconds) })
    const { state, next } = look(waiting.state, end - hourSeconds)
    expect(next).toMatchObject({
      kind: 'call',
      call: { step: 'capture', sent: { input: { amount: 1800n } } },
    })
    const object = { reference: 'held at the buyer', amount: 1800n, capturedAmount: 1800n, currency: 'EUR' }
    const captured = { ...object, status: 'captured', captureReference: 'captured at the buyer' } as const
    const told = advance(state, {
      kind: 'answered',
      answer: { kind: 'rail', step: 'capture', attempt: 1, answer: { kind: 'done', value: captured } },
    })
    expect(told.state.cart.hold).toEqual({ status: 'captured_early', ends_at })
    expect(told.state.fundings[0]).toMatchObject({ status: 'captured', captured_amount: 1800n })
  })

  test('that has ended before its capture says that, and the operator bears what the shop has taken', () => {
    const { state } = look(bought(end), end - hourSeconds)
    const refusal = { code: 'authorization_expired', declineCode: null }
    const told = advance(state, {
      kind: 'answered',
      answer: { kind: 'rail', step: 'capture', attempt: 1, answer: { kind: 'refused', refusal } },
    })
    expect(told.state.cart).toMatchObject({ status: 'succeeded', hold: { status: 'ended', ends_at } })
    expect(told.state.fundings[0]?.status).toBe('expired')
  })

  test('of a cart that waits is looked at when it has something to say', () => {
    const { next } = look(bought(end), end - 24 * hourSeconds - 60)
    expect(next).toEqual({ kind: 'rest', until: at(end - 24 * hourSeconds) })
  })
})

test('a shop that took everything in time, or nothing at all, leaves nothing to say', () => {
  const taken = bought(7 * 86_400)
  const [card] = taken.holds
  if (!card) throw new Error('a cart without its card')
  const all = { ...taken, holds: [{ ...card, status: 'captured' as const, captured_amount: 1800n }] }
  expect(look(all, 60).says).toEqual([])
  const nothing = { ...taken, holds: [{ ...card, claimed_at: null, claimed_amount: null }] }
  expect(look(nothing, 7 * 86_400 - 60).says).toEqual([])
})
