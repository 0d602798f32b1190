import { expect, test } from 'vitest'
import {
  at,
  beginsSomething,
  brief,
  decided,
  effect,
  hold,
  issued,
  now,
  paid,
  type Row,
  rejected,
  shop,
} from './states.testing.ts'
import { pace } from './step.ts'

function noRoomSince(seconds: number) {
  return { since: at(seconds), until: at(-1), reason: 'no_room' }
}

const buying: Row[] = [
  ['a new cart asks for an offer', { cart: { status: 'created' } }, 'offer'],
  ['an accepted offer is paid for', { isOfferAccepted: true }, 'send authorize'],
  ['at a shop, with a credential', { ...shop, isOfferAccepted: true }, 'send issue_credential'],
  [
    'a merchant that did not answer is asked again, later',
    { offerTries: 1, offerTriedAt: now },
    'wait 1s backoff',
  ],
  ['a merchant that did not answer is asked again', { offerTries: 1, offerTriedAt: at(-2) }, 'offer'],
  [
    'a merchant that never answers is given up',
    { offerTries: 4, offerTriedAt: at(-99) },
    'fail merchant_unavailable',
  ],
  [
    'no room of ours is waited for, and uses up no try',
    { offerTries: 3, offerTriedAt: at(-9), noRoom: { since: at(-60), until: at(5) } },
    'wait 5s backoff',
  ],
  ['then the merchant is asked', { noRoom: { since: at(-60), until: at(-1) } }, 'offer'],
  ['what nobody answers in time ends it', { cart: { inputUntil: at(0) } }, 'fail input_not_given'],
  ['no room for half an hour ends it', { noRoom: { since: at(-1800), until: at(5) } }, 'fail no_room'],
  [
    'an order without room for half an hour gives its card back',
    {
      ...shop,
      effects: [issued, effect('place', 'unsent', { tries: 0, putOff: noRoomSince(-1800) })],
      holds: [hold('authorized', { kind: 'credential' })],
    },
    'send revoke',
  ],
  [
    'and ends as what it is',
    {
      ...shop,
      effects: [issued, effect('place', 'unsent', { tries: 0, putOff: noRoomSince(-1800) })],
      holds: [hold('voided', { kind: 'credential' })],
    },
    'fail no_room',
  ],
  ['a freeze waits before an offer', { isFrozen: true }, 'wait 900s frozen'],
  ['a freeze waits before the authorization', { isFrozen: true, isOfferAccepted: true }, 'wait 900s frozen'],
  [
    'a freeze waits before the order',
    { isFrozen: true, effects: [paid], holds: [hold('authorized')] },
    'wait 900s frozen',
  ],
  ['a decline fails', { effects: [effect('authorize', 'refused')] }, 'fail payment_declined'],
  [
    'a hold that never came about fails, and can be tried again',
    { effects: [effect('authorize', 'closed')] },
    'fail internal_error same',
  ],
  ['a call that never left is made again', { effects: [effect('authorize', 'unsent')] }, 'send authorize'],
  [
    'a call that never left is not made at once again',
    { effects: [effect('authorize', 'unsent', { sent_at: now })] },
    'wait 1s backoff',
  ],
  [
    'a call that can not be made fails',
    { effects: [effect('authorize', 'unsent', { tries: 5 })] },
    'fail internal_error same',
  ],
  ['money held places the order', { effects: [paid], holds: [hold('authorized')] }, 'send place'],
  [
    'a hold that is about to end is released instead',
    { effects: [paid], holds: [hold('authorized', { expires_at: at(60) })] },
    'send void',
  ],
  [
    'a hold that has gone places nothing',
    { effects: [paid], holds: [hold('voided')] },
    'fail payment_declined same',
  ],
  ['a question that a person has to answer stops the cart', { mayBuy: false }, 'wait 900s person'],
]

const ordering: Row[] = [
  [
    'our own order is read at every look',
    {
      effects: [paid, effect('place', 'unknown', { heard: 'pending', asked_at: now })],
      holds: [hold('authorized')],
    },
    'ask place',
  ],
  [
    'our own order is waited for',
    {
      isAsked: true,
      effects: [paid, effect('place', 'unknown', { heard: 'pending' })],
      holds: [hold('authorized')],
    },
    'wait 900s merchant',
  ],
  [
    'a confirmation is captured',
    { effects: [paid, effect('place', 'done')], holds: [hold('authorized')] },
    'send capture',
  ],
  [
    'a confirmation is captured in a freeze too',
    { isFrozen: true, effects: [paid, effect('place', 'done')], holds: [hold('authorized')] },
    'send capture',
  ],
  [
    'a capture ends it',
    { effects: [paid, effect('place', 'done'), effect('capture', 'done')], holds: [hold('captured')] },
    'succeed',
  ],
  [
    'a refused capture fails',
    { effects: [paid, effect('place', 'done'), effect('capture', 'refused')], holds: [hold('authorized')] },
    'fail payment_declined',
  ],
  [
    'a rejection lets go first',
    { effects: [paid, effect('place', 'refused', { refusal: rejected })], holds: [hold('authorized')] },
    'send void',
  ],
  [
    'a rejection then fails',
    {
      effects: [paid, effect('place', 'refused', { refusal: rejected }), effect('void', 'done')],
      holds: [hold('voided')],
    },
    'fail order_rejected_by_merchant',
  ],
  [
    'a cancelled order cancels the cart',
    {
      effects: [paid, effect('place', 'refused', { refusal: { ...rejected, code: 'cancelled' } })],
      holds: [hold('voided')],
    },
    'cancel',
  ],
  [
    'what a shop charged ends it',
    {
      ...shop,
      effects: [issued, effect('place', 'done')],
      holds: [hold('captured', { kind: 'credential' })],
    },
    'succeed',
  ],
  [
    'a shop that refuses loses its credential',
    {
      ...shop,
      effects: [issued, effect('place', 'refused', { refusal: rejected })],
      holds: [hold('authorized', { kind: 'credential' })],
    },
    'send revoke',
  ],
  [
    'a shop that refuses after charging is a case for a person',
    {
      ...shop,
      effects: [issued, effect('place', 'refused', { refusal: rejected })],
      holds: [hold('captured', { kind: 'credential' })],
    },
    'fail outcome_unknown',
  ],
]

const over: Row[] = [
  [
    'a cart that is over rests',
    { cart: { status: 'succeeded' }, effects: [paid], holds: [hold('captured')] },
    'rest',
  ],
  [
    'a cancelled cart lets go',
    { cart: { status: 'cancelled', isCleanup: true }, effects: [paid], holds: [hold('authorized')] },
    'send void',
  ],
  [
    'in a freeze too',
    {
      isFrozen: true,
      cart: { status: 'cancelled', isCleanup: true },
      effects: [paid],
      holds: [hold('authorized')],
    },
    'send void',
  ],
  [
    'a cancelled cart whose call is unknown asks first',
    { cart: { status: 'cancelled', isCleanup: true }, effects: [effect('authorize', 'sent')] },
    'ask authorize',
  ],
  [
    'a cancelled cart captures nothing, even a confirmed order',
    { cart: { status: 'cancelled' }, effects: [paid, effect('place', 'done')], holds: [hold('authorized')] },
    'send void',
  ],
  ['a failed cart buys nothing', { cart: { status: 'failed' }, isOfferAccepted: true }, 'rest'],
  [
    'an unknown outcome rests until a person speaks',
    {
      cart: { status: 'failed', isOutcomeKnown: false },
      effects: [effect('place', 'unknown')],
      holds: [hold('authorized')],
    },
    'rest',
  ],
  [
    'a void that the rail refuses is looked into',
    {
      cart: { status: 'cancelled' },
      effects: [paid, effect('void', 'refused')],
      holds: [hold('authorized')],
    },
    'verify',
  ],
  [
    'money that was charged for an order that was never placed is refunded',
    {
      ...shop,
      cart: { status: 'failed', isCleanup: true },
      effects: [issued, effect('place', 'closed'), effect('revoke', 'refused')],
      holds: [hold('captured', { kind: 'credential' })],
    },
    'send refund',
  ],
  [
    'after the journal has closed the order that was never answered',
    {
      ...shop,
      cart: { status: 'failed', isCleanup: true },
      effects: [
        issued,
        effect('place', 'unknown', { heard: 'nothing', sent_at: at(-1000) }),
        effect('revoke', 'refused'),
      ],
      holds: [hold('captured', { kind: 'credential' })],
    },
    'settle place',
  ],
  [
    'in a freeze too, and for a cancelled cart',
    { isFrozen: true, cart: { status: 'cancelled' }, effects: [paid], holds: [hold('captured')] },
    'send refund',
  ],
  [
    'an unknown outcome gives nothing back until a person speaks',
    { cart: { status: 'failed', isOutcomeKnown: false }, effects: [issued], holds: [hold('captured')] },
    'rest',
  ],
  [
    'a refund that never left is made again, however often',
    {
      cart: { status: 'failed' },
      effects: [effect('refund', 'unsent', { tries: 50 })],
      holds: [hold('captured')],
    },
    'send refund',
  ],
  [
    'a refund that the rail refuses is looked for there',
    { cart: { status: 'failed' }, effects: [effect('refund', 'refused')], holds: [hold('captured')] },
    'verify',
  ],
  [
    'again and again, later each time',
    {
      cart: { status: 'failed' },
      effects: [effect('refund', 'refused', { asked: 20, asked_at: now })],
      holds: [hold('captured')],
    },
    'wait 60s backoff',
  ],
  [
    'what was refunded is over',
    { cart: { status: 'failed' }, effects: [effect('refund', 'done')], holds: [hold('refunded')] },
    'rest',
  ],
  [
    'a new attempt first gives back what the old one took',
    { cart: { attempt: 2 }, isOfferAccepted: true, effects: [paid], holds: [hold('captured')] },
    'send refund',
  ],
  [
    'and what an old attempt took goes back after a later one succeeded',
    {
      cart: { status: 'succeeded', attempt: 2 },
      holds: [hold('captured'), hold('captured', { attempt: 2 })],
    },
    'send refund',
  ],
  [
    'a new attempt first lets go of the old',
    { cart: { attempt: 2 }, effects: [paid], holds: [hold('authorized')] },
    'send void',
  ],
  [
    'a new attempt never runs beside one that may land',
    {
      cart: { attempt: 2 },
      isOfferAccepted: true,
      effects: [effect('place', 'unknown', { heard: 'not_found' })],
      ...shop,
    },
    'close place',
  ],
  [
    'a new attempt starts fresh',
    { cart: { attempt: 2 }, effects: [paid, effect('void', 'done')], holds: [hold('voided')] },
    'offer',
  ],
  [
    'a sign-in is waited for',
    { cart: { status: 'awaiting_merchant_auth', signInUntil: at(60) } },
    'wait 60s person',
  ],
  [
    'a code is waited for as long as its page stays open',
    { cart: { status: 'awaiting_merchant_auth', signInUntil: at(60), codeUntil: at(10) } },
    'wait 10s person',
  ],
  [
    'a page that is gone is no longer waited for',
    { cart: { status: 'awaiting_merchant_auth', signInUntil: at(60), codeUntil: at(0) } },
    'sign_in_anew',
  ],
  [
    'a sign-in that never comes fails',
    { cart: { status: 'awaiting_merchant_auth', signInUntil: at(0) } },
    'fail merchant_auth_failed',
  ],
]

const rows = [...buying, ...ordering, ...over]

test.each(rows)('%s', (_, change, expected) => {
  expect(brief(decided(change))).toBe(expected)
})

test('what a shop charged is read from the rail at once, and again after a while', () => {
  const place = effect('place', 'done')
  const facts = {
    ...shop,
    effects: [issued, { ...place, sent_at: at(-1) }],
    holds: [hold('authorized', { kind: 'credential' })],
  }
  expect(brief(decided(facts))).toBe('verify')
  const asked = { ...place, sent_at: at(-1), asked: 1, asked_at: now }
  expect(brief(decided({ ...facts, effects: [issued, asked] }))).toBe('wait 1s backoff')
})

test('no frozen cart begins anything', () => {
  for (const [, change] of rows) expect(beginsSomething(decided({ ...change, isFrozen: true }))).toBe(false)
})

test('no cart that is over begins or captures anything', () => {
  for (const [, change] of rows) {
    for (const status of ['cancelled', 'failed', 'succeeded'] as const) {
      const step = decided({ ...change, cart: { ...change.cart, status } })
      expect(beginsSomething(step) || (step.kind === 'send' && step.step === 'capture')).toBe(false)
    }
  }
})

test('a cart in cleanup begins nothing, in any status', () => {
  expect(brief(decided({ cart: { isCleanup: true } }))).toBe('rest')
})

test('an order that could not be sent that often is given up, and its money is released', () => {
  const place = (tries: number) => ({
    ...shop,
    effects: [issued, effect('place', 'unsent', { tries })],
    holds: [hold('authorized', { kind: 'credential' })],
  })
  expect(brief(decided(place(pace.sendTriesMax - 1)))).toContain('place')
  expect(brief(decided(place(pace.sendTriesMax)))).toContain('revoke')
})
