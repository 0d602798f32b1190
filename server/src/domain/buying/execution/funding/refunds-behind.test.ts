import { expect, test } from 'vitest'
import type { CartState } from '../cart-state.ts'
import { refund } from '../effects/refund.ts'
import type { FundingRow } from '../journal.ts'
import { at, base, effect, hold } from '../states.testing.ts'
import { fundingOf } from './funding.ts'

const funding: FundingRow = {
  cart_id: base.cart.id,
  attempt: 1,
  intent_id: base.intent.id,
  rail: 'sandbox',
  reference: 'held at the buyer',
  amount: 1800n,
  currency: 'EUR',
  status: 'captured',
  captured_amount: 1800n,
  capture_reference: 'captured at the buyer',
  returned_amount: 0n,
  returning_amount: 0n,
  expires_at: at(86_400),
  created_at: at(-60),
  updated_at: at(-60),
}

/** A cart that was bought at a shop, which has given back so much of its card. */
function returned(
  amount: bigint,
  more: Partial<FundingRow> = {},
  refunds: CartState['effects'] = [],
): CartState {
  const card = hold('captured', { kind: 'credential', vault_record: 'its number', refunded_amount: amount })
  const authorized = effect('authorize', 'done')
  return {
    ...base,
    cart: { ...base.cart, status: 'succeeded', channel: 'browser', merchant_account_id: null },
    holds: [card],
    fundings: [{ ...funding, ...more }],
    effects: [
      { ...authorized, request: { ...authorized.request, behind: 'card' } },
      effect('issue_credential', 'done'),
      effect('place', 'done'),
      effect('revoke', 'done'),
      ...refunds,
    ],
  }
}

const begun = (state: CartState) => refund.begin?.(state, 1) ?? state

test('a refund that may have left keeps its amount, whatever the shop gives back meanwhile', () => {
  const first = begun(returned(500n))
  expect(fundingOf(first, 1)?.returning_amount).toBe(500n)
  const sent = effect('refund', 'unsent')
  const later = begun(returned(900n, { returning_amount: 500n }, [sent]))
  expect(refund.input(later, sent, null)).toMatchObject({ amount: 500n, reference: 'captured at the buyer' })
})

test('the next one has a key of its own, and the rest', () => {
  const done = effect('refund', 'done')
  const next = begun(returned(900n, { returned_amount: 500n }, [done]))
  expect(fundingOf(next, 1)?.returning_amount).toBe(400n)
  const [renewed] = next.effects.filter(({ step }) => step === 'refund')
  expect(renewed).toMatchObject({ state: 'unsent', number: 2 })
  expect(renewed?.key).not.toBe(done.key)
})
