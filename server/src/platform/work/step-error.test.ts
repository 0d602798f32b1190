import { expect, test } from 'vitest'
import { describeFailure } from './step-error.ts'

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields)

test.each([
  [
    new Error('an order without its merchant or its profile'),
    'Error: an order without its merchant or its profile',
  ],
  [new TypeError(''), 'TypeError'],
  ['a text', 'something that is no error was thrown'],
  [
    withFields('duplicate key', { code: '23505', constraint: 'orders_pkey', detail: 'Key (id)=(ord_1)' }),
    'database 23505 orders_pkey',
  ],
  [withFields('canceling statement', { code: '57014' }), 'database 57014'],
  [withFields('connect ECONNREFUSED 10.0.0.1:443', { code: 'ECONNREFUSED' }), 'Error ECONNREFUSED'],
])('%o is kept as %s', (error, kept) => {
  expect(describeFailure(error)).toBe(kept)
})

test('no typed text is kept, and never more than fits a line', () => {
  const words = `"ada lovelace" 'a secret' 4242424242424242 ada@example.com pr_sk_test_0123456789abcdefghijklmnopqrstuvwxyz`
  expect(describeFailure(new Error(`of ${words} in all`))).toBe('Error: of … … … … … in all')
  expect(describeFailure(new Error('word '.repeat(100))).length).toBe(200)
})
