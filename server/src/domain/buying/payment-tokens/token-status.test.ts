import { expect, test } from 'vitest'
import { type TokenFacts, tokenStatusOf } from './token-status.ts'

const made: TokenFacts = {
  cart_status: 'created',
  failure_code: null,
  is_handed_out: false,
  is_claimed: false,
}
const failed = (failure_code: string) => ({ cart_status: 'failed', failure_code }) as const

test.each<[string, Partial<TokenFacts>, string]>([
  ['just made', {}, 'pending'],
  ['being issued', { cart_status: 'in_progress' }, 'pending'],
  ['handed out', { cart_status: 'in_progress', is_handed_out: true }, 'active'],
  ['claimed', { cart_status: 'in_progress', is_handed_out: true, is_claimed: true }, 'authorized'],
  ['charged', { cart_status: 'succeeded', is_handed_out: true, is_claimed: true }, 'captured'],
  ['cancelled before it was handed out', { cart_status: 'cancelled' }, 'released'],
  ['never used', failed('payment_token_expired'), 'expired'],
  ['released by its merchant', failed('order_rejected_by_merchant'), 'released'],
  ['declined', failed('payment_declined'), 'failed'],
  ['failed on our side', failed('internal_error'), 'failed'],
  ['kept by its merchant for too long', failed('outcome_unknown'), 'authorized'],
])('a token that was %s', (_, facts, status) => {
  expect(tokenStatusOf({ ...made, ...facts })).toBe(status)
})
