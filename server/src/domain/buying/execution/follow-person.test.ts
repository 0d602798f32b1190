import { expect, test } from 'vitest'
import { at, brief, decided, effect, type Row } from './states.testing.ts'

const rows: Row[] = [
  [
    'a person who refuses the payment fails it',
    {
      effects: [
        effect('authorize', 'refused', {
          refusal: { code: 'authentication_failed', declineCode: null, message: null },
        }),
      ],
    },
    'fail payment_authentication_failed',
  ],
  [
    'and so does a person who never came',
    {
      effects: [
        effect('authorize', 'closed', {
          answer: { kind: 'needs_person', url: 'https://bank.example/1', until: at(-1).toISOString() },
        }),
      ],
    },
    'fail payment_authentication_failed',
  ],
]

test.each(rows)('%s', (_, words, expected) => {
  expect(brief(decided(words))).toBe(expected)
})
