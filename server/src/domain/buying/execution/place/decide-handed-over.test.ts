import { expect, test } from 'vitest'
import { at, brief, decided, effect, hold, issued, leftAlone, now, type Row } from '../states.testing.ts'

const until = at(600)
const token = { payment: 'credential', isNative: false, handedOverUntil: until } as const
const credential = { kind: 'credential', expires_at: until } as const
const open = hold('authorized', credential)
const claimed = hold('authorized', { ...credential, claimed_at: at(-60) })
const out = effect('place', 'unknown', { heard: 'pending', asked_at: at(-5), asked: 3 })
const over = { now: until } as const

const rows: Row[] = [
  ['its terms are known without a question', { ...token }, 'offer'],
  ['accepted', { ...token, isOfferAccepted: true }, 'send issue_credential'],
  ['frozen before the credential', { ...token, isFrozen: true }, 'wait 600s frozen'],
  [
    'frozen, with more time than until the next look',
    { ...token, isFrozen: true, handedOverUntil: at(5000) },
    'wait 900s frozen',
  ],
  ['its time is over before the credential', { ...token, ...over }, 'fail payment_token_expired'],
  [
    'its time is over and the rail never got the request',
    { ...token, ...over, effects: [effect('issue_credential', 'unsent')] },
    'fail payment_token_expired',
  ],
  [
    'declined',
    { ...token, ...over, effects: [effect('issue_credential', 'refused')] },
    'fail payment_declined',
  ],
  ['issued', { ...token, effects: [issued], holds: [open] }, 'send place'],
  ['issued and frozen', { ...token, isFrozen: true, effects: [issued], holds: [open] }, 'wait 600s frozen'],
  ['issued too late', { ...token, ...over, effects: [issued], holds: [open] }, 'send revoke'],
  [
    'issued too late and revoked',
    { ...token, ...over, effects: [issued, effect('revoke', 'done')], holds: [hold('voided', credential)] },
    'fail payment_token_expired',
  ],
  [
    'charged before it was handed out',
    { ...token, effects: [issued], holds: [hold('captured', credential)] },
    'fail outcome_unknown',
  ],
  [
    'cancelled before it was handed out',
    { ...token, cart: { status: 'cancelled', isCleanup: true }, effects: [issued], holds: [open] },
    'send revoke',
  ],
  ['handed out, just asked', { ...token, effects: [issued, out], holds: [open] }, 'wait -1s merchant'],
  ['handed out, due', { ...token, isWoken: true, effects: [issued, out], holds: [open] }, 'verify'],
  [
    'handed out and frozen: it is asked about all the same',
    { ...token, isFrozen: true, isWoken: true, effects: [issued, out], holds: [open] },
    'verify',
  ],
  [
    'handed out, and the rail asks to be left alone',
    {
      ...token,
      isWoken: true,
      effects: [issued, { ...out, put_off: leftAlone({ since: at(-9), until: at(30) }) }],
      holds: [open],
    },
    'wait 30s backoff',
  ],
  [
    'handed out, and the next look would be after its time',
    {
      ...token,
      effects: [issued, { ...out, asked_at: now, asked: 30 }],
      holds: [open],
      handedOverUntil: at(20),
    },
    'wait 20s merchant',
  ],
  ['its time is over', { ...token, ...over, effects: [issued, out], holds: [open] }, 'send revoke'],
  [
    'its time is over and the revoke has no answer',
    { ...token, ...over, effects: [issued, out, effect('revoke', 'unknown')], holds: [open] },
    'ask revoke',
  ],
  [
    'its time is over and the rail refused the revoke: it knows the state',
    { ...token, ...over, effects: [issued, out, effect('revoke', 'refused')], holds: [open] },
    'verify',
  ],
  [
    'revoked in time',
    {
      ...token,
      ...over,
      effects: [issued, out, effect('revoke', 'done')],
      holds: [hold('voided', credential)],
    },
    'settle place',
  ],
  [
    'revoked in time, and nobody used it',
    {
      ...token,
      ...over,
      effects: [issued, effect('place', 'closed'), effect('revoke', 'done')],
      holds: [hold('voided', credential)],
    },
    'fail payment_token_expired',
  ],
  [
    'claimed, just asked',
    { ...token, effects: [issued, { ...out, asked_at: now, asked: 30 }], holds: [claimed] },
    'wait 900s merchant',
  ],
  ['claimed, due', { ...token, isWoken: true, effects: [issued, out], holds: [claimed] }, 'verify'],
  [
    'claimed, and its time is over: it is the merchant’s',
    { ...token, ...over, isWoken: true, effects: [issued, out], holds: [claimed] },
    'verify',
  ],
  [
    'claimed for longer than an order lives',
    {
      ...token,
      effects: [issued, out],
      holds: [hold('authorized', { ...credential, claimed_at: at(-25 * 3600) })],
    },
    'fail outcome_unknown',
  ],
  [
    'claimed for as long, after a person has decided',
    {
      ...token,
      cart: { status: 'failed', isCleanup: true },
      isWoken: true,
      effects: [issued, out],
      holds: [hold('authorized', { ...credential, claimed_at: at(-25 * 3600) })],
    },
    'verify',
  ],
  [
    'released by its merchant',
    { ...token, effects: [issued, out], holds: [hold('voided', { ...credential, claimed_at: at(-60) })] },
    'settle place',
  ],
  [
    'released by its merchant, and settled',
    {
      ...token,
      effects: [issued, effect('place', 'closed')],
      holds: [hold('voided', { ...credential, claimed_at: at(-60) })],
    },
    'fail order_rejected_by_merchant',
  ],
  [
    'used and released between two looks',
    { ...token, effects: [issued, effect('place', 'closed')], holds: [hold('voided', credential)] },
    'fail order_rejected_by_merchant',
  ],
  [
    'captured and refunded between two looks',
    { ...token, effects: [issued, effect('place', 'closed')], holds: [hold('refunded', credential)] },
    'fail order_rejected_by_merchant',
  ],
  ['captured', { ...token, effects: [issued, out], holds: [hold('captured', credential)] }, 'placed'],
  [
    'captured and settled',
    { ...token, effects: [issued, effect('place', 'done')], holds: [hold('captured', credential)] },
    'succeed',
  ],
]

test.each(rows)('%s', (_, change, step) => {
  expect(brief(decided(change))).toBe(step)
})

test('a hand-out in a state that it cannot have is a bug', () => {
  const impossible = { ...token, effects: [issued, effect('place', 'refused')], holds: [open] }
  expect(() => decided(impossible)).toThrow('handed out')
})
