import { expect, test } from 'vitest'
import { operations, product } from '../../../../composition.ts'
import type { Id } from '../../../../core/id.ts'
import { decideCancel } from '../decide/decide-cancel.ts'
import { failures } from '../failure.ts'
import { intentStatuses, isTerminalIntent } from '../machine.ts'
import { decideRetry } from '../retry/decide-retry.ts'
import { whyNotApprovable, whyNotCancellable, whyNotRetryable } from './why-refused.ts'

type Cart = Parameters<typeof whyNotRetryable>[1][number] & { past_no_return: boolean }

const open: Cart = {
  id: 'cart_1' as Id<'cart'>,
  status: 'in_progress',
  attempt_number: 1,
  max_attempts: 3,
  outcome_known: true,
  stage: null,
  past_no_return: false,
}
const sold: Cart = { ...open, status: 'succeeded', past_no_return: true }
const captured: Cart = { ...open, past_no_return: true }
const failed: Cart = { ...open, status: 'failed' }
const spent: Cart = { ...failed, attempt_number: 3 }
const unknown: Cart = { ...failed, outcome_known: false }
const clearing: Cart = { ...failed, stage: 'cleanup' }

test('a cancel that one cart stands in the way of says how the others are cancelled', () => {
  for (const carts of [
    [sold, open],
    [captured, open],
  ]) {
    expect(decideCancel('approved', carts, null)).toMatchObject({ ok: false })
    expect(whyNotCancellable('approved', carts)).toContain('`cart_ids` cancels the others')
  }
  expect(whyNotCancellable('approved', [captured])).not.toContain('cart_ids')
  expect(whyNotCancellable('succeeded', [sold])).toContain('has ended (`succeeded`)')
})

test('a retry is never refused in words that lead to buying twice', () => {
  for (const carts of [[unknown], [unknown, sold], [unknown, spent]]) {
    expect(decideRetry('failed', carts, null)).toMatchObject({ ok: false })
    const said = whyNotRetryable('failed', carts)
    expect(said).toContain('must not be bought again')
    expect(said).toContain('v1_reconcile_purchase_intent')
    expect(said).not.toContain('Create a new purchase intent')
  }
  expect(whyNotRetryable('failed', [spent, sold])).toMatch(/without anything that was bought/)
  expect(whyNotRetryable('failed', [clearing])).toMatch(/still being released/)
  expect(whyNotRetryable('failed', [failed, spent])).toMatch(/`can_retry`/)
})

test('every refusal says what to do next, and nothing in it is over that goes on', () => {
  for (const status of intentStatuses) {
    for (const said of [
      whyNotApprovable({ status, next_action: null }),
      whyNotCancellable(status, [captured]),
      whyNotRetryable(status, [spent]),
    ]) {
      expect(said).toMatch(/^[A-Z].*\.$/)
      expect(said).toMatch(/v1_|[Cc]reate a new purchase intent/)
      if (!isTerminalIntent(status)) expect(said).not.toContain('has ended')
    }
  }
})

test('operations are named by ids that they have', () => {
  const known = new Set<string>(operations.map(({ id }) => id))
  const said = [
    ...product.problems.values(),
    ...Object.values(failures),
    ...operations.map(({ withoutScope = '' }) => ({ message: withoutScope })),
    ...intentStatuses.flatMap((status) => [
      { message: whyNotApprovable({ status, next_action: null }) },
      ...[[], [open], [spent], [unknown], [clearing]].flatMap((carts) => [
        { message: whyNotCancellable(status, carts) },
        { message: whyNotRetryable(status, carts) },
      ]),
    ]),
  ]
  const named = said.flatMap(({ message }) => message.match(/\bv1_\w+/g) ?? [])
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((id) => !known.has(id))).toEqual([])
})
