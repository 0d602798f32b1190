import { expect, test } from 'vitest'
import type { CartFacts, EffectFacts, EffectState, EffectStep, HoldFacts } from './cart-facts.ts'
import { decideStep } from './decide-step.ts'
import type { Step } from './step.ts'

const now = new Date('2026-06-01T12:00:00Z')

function at(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}

function effect(step: EffectStep, state: EffectState, more: Partial<EffectFacts> = {}): EffectFacts {
  return {
    attempt: 1,
    step,
    state,
    tries: 1,
    sentAt: at(-120),
    asked: 0,
    askedAt: null,
    heard: null,
    notBefore: at(-60),
    refusal: null,
    ...more,
  }
}

function hold(status: HoldFacts['status'], more: Partial<HoldFacts> = {}): HoldFacts {
  return { attempt: 1, kind: 'authorization', status, expiresAt: at(86_400), ...more }
}

const base: CartFacts = {
  now,
  isFrozen: false,
  mayBuy: true,
  payment: 'authorization',
  isInner: true,
  cart: { status: 'in_progress', isCleanup: false, attempt: 1, isOutcomeKnown: true, signInUntil: null },
  isOfferAccepted: false,
  offerTries: 0,
  offerTriedAt: null,
  effects: [],
  holds: [],
  isAsked: false,
}
const shop = { payment: 'credential', isInner: false } as const
const paid = effect('authorize', 'done')
const issued = effect('issue_credential', 'done')
const rejected = { code: 'order_rejected_by_merchant', declineCode: null, message: 'No.' }

type Row = [string, Omit<Partial<CartFacts>, 'cart'> & { cart?: Partial<CartFacts['cart']> }, string]

function decided(change: Row[1]): Step {
  return decideStep({ ...base, ...change, cart: { ...base.cart, ...change.cart } })
}

/** A step in one line: what it is, and what of it matters. */
function brief(step: Step): string {
  switch (step.kind) {
    case 'send':
    case 'ask':
    case 'close':
    case 'settle':
      return `${step.kind} ${step.step}${step.attempt === 1 ? '' : ` ${step.attempt}`}`
    case 'wait':
      return `wait ${Math.round((step.until.getTime() - now.getTime()) / 1000)}s ${step.because}`
    case 'fail':
      return `fail ${step.code}${step.isRetrySame ? ' same' : ''}`
    case 'fail_refused':
      return `fail ${step.refusal.code}`
    default:
      return step.kind
  }
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
  ['a freeze waits before an offer', { isFrozen: true }, 'wait 5s frozen'],
  ['a freeze waits before the authorization', { isFrozen: true, isOfferAccepted: true }, 'wait 5s frozen'],
  [
    'a freeze waits before the order',
    { isFrozen: true, effects: [paid], holds: [hold('authorized')] },
    'wait 5s frozen',
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
    { effects: [effect('authorize', 'unsent', { sentAt: now })] },
    'wait 1s backoff',
  ],
  [
    'a call that can not be made fails',
    { effects: [effect('authorize', 'unsent', { tries: 5 })] },
    'fail internal_error same',
  ],
  ['money held places the order', { effects: [paid], holds: [hold('authorized')] }, 'send place'],
  [
    'a hold about to end is let go instead',
    { effects: [paid], holds: [hold('authorized', { expiresAt: at(60) })] },
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
      effects: [paid, effect('place', 'unknown', { heard: 'pending', askedAt: now })],
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

const credential = [hold('authorized', { kind: 'credential' })]
const lost = (more: Partial<EffectFacts>): Partial<CartFacts> => ({
  ...shop,
  effects: [issued, effect('place', 'unknown', { sentAt: at(-10), notBefore: at(5), ...more })],
  holds: credential,
})
const reconciling: Row[] = [
  [
    'a call that somebody left behind is asked about',
    { effects: [effect('authorize', 'sent')] },
    'ask authorize',
  ],
  ['even in a freeze', { isFrozen: true, effects: [effect('authorize', 'sent')] }, 'ask authorize'],
  [
    'a rail that does not answer is asked again, later',
    { effects: [effect('authorize', 'unknown', { heard: 'nothing', asked: 3, askedAt: now })] },
    'wait 4s backoff',
  ],
  [
    'what a rail never saw is sent again',
    { effects: [effect('authorize', 'unknown', { heard: 'not_found' })] },
    'send authorize',
  ],
  [
    'but no new money in a freeze',
    { isFrozen: true, effects: [effect('authorize', 'unknown', { heard: 'not_found' })] },
    'wait 5s frozen',
  ],
  [
    'and not for ever',
    { effects: [effect('authorize', 'unknown', { heard: 'not_found', tries: 5 })] },
    'close authorize',
  ],
  [
    'and not for a cart that is over',
    { cart: { status: 'cancelled' }, effects: [effect('authorize', 'unknown', { heard: 'not_found' })] },
    'close authorize',
  ],
  [
    'a closed key waits for the last call to end',
    { effects: [effect('authorize', 'unknown', { heard: 'closed', notBefore: at(5) })] },
    'wait 5s proof',
  ],
  [
    'a closed key proves it then',
    { effects: [effect('authorize', 'unknown', { heard: 'closed' })] },
    'settle authorize',
  ],
  [
    'a capture that never arrived is sent again, in a freeze too',
    {
      isFrozen: true,
      effects: [
        paid,
        effect('place', 'done'),
        effect('capture', 'unknown', { heard: 'not_found', tries: 9 }),
      ],
      holds: [hold('authorized')],
    },
    'send capture',
  ],
  [
    'a void that never arrived is sent again',
    {
      cart: { status: 'cancelled' },
      effects: [paid, effect('void', 'unknown', { heard: 'not_found' })],
      holds: [hold('authorized')],
    },
    'send void',
  ],
  ['an order whose answer was lost is asked about', lost({}), 'ask place'],
  [
    'an order that a shop does not know is closed, never sent again',
    lost({ heard: 'not_found' }),
    'close place',
  ],
  ['a closed order waits for the last call to end', lost({ heard: 'closed' }), 'wait 5s proof'],
  ['a closed order is not placed', lost({ heard: 'closed', notBefore: now }), 'settle place'],
  [
    'an order on its way is waited for',
    lost({ heard: 'pending', asked: 1, askedAt: now }),
    'wait 1s backoff',
  ],
  ['an order on its way for too long is closed', lost({ heard: 'pending', sentAt: at(-900) }), 'close place'],
  [
    'a shop that stays silent is asked again',
    lost({ heard: 'nothing', asked: 2, askedAt: at(-2) }),
    'ask place',
  ],
  [
    'a shop that stays silent for too long loses its credential',
    lost({ heard: 'nothing', sentAt: at(-900) }),
    'send revoke',
  ],
  [
    'without its credential it can not have charged',
    { ...lost({ heard: 'nothing', sentAt: at(-900) }), holds: [hold('voided', { kind: 'credential' })] },
    'settle place',
  ],
  [
    'a charge without an order is a case for a person',
    { ...lost({ heard: 'nothing', sentAt: at(-900) }), holds: [hold('captured', { kind: 'credential' })] },
    'fail outcome_unknown',
  ],
  [
    'an order that is not placed lets go',
    { ...shop, effects: [issued, effect('place', 'closed')], holds: credential },
    'send revoke',
  ],
  [
    'an order that is not placed can be tried again',
    {
      ...shop,
      effects: [issued, effect('place', 'closed')],
      holds: [hold('voided', { kind: 'credential' })],
    },
    'fail merchant_unavailable same',
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
    'a sign-in that never comes fails',
    { cart: { status: 'awaiting_merchant_auth', signInUntil: at(0) } },
    'fail merchant_auth_failed',
  ],
]

test.each([...buying, ...ordering, ...reconciling, ...over])('%s', (_, change, expected) => {
  expect(brief(decided(change))).toBe(expected)
})

test('what a shop charged is read from the rail at once, and again after a while', () => {
  const place = effect('place', 'done')
  const facts = { ...shop, effects: [issued, { ...place, sentAt: at(-1) }], holds: credential }
  expect(brief(decided(facts))).toBe('verify')
  const asked = { ...place, sentAt: at(-1), asked: 1, askedAt: now }
  expect(brief(decided({ ...facts, effects: [issued, asked] }))).toBe('wait 1s backoff')
})

test('no frozen cart ever sends what holds money or places an order', () => {
  const rows = [...buying, ...ordering, ...reconciling, ...over]
  for (const [, change] of rows) {
    const step = decided({ ...change, isFrozen: true })
    const isNew = step.kind === 'send' && ['authorize', 'issue_credential', 'place'].includes(step.step)
    expect(isNew || step.kind === 'offer').toBe(false)
  }
})

test('no cart that is over ever sends what takes money or places an order', () => {
  const rows = [...buying, ...ordering, ...reconciling]
  for (const [, change] of rows) {
    for (const status of ['cancelled', 'failed', 'succeeded'] as const) {
      const step = decided({ ...change, cart: { ...change.cart, status } })
      const takes = step.kind === 'send' && !['void', 'revoke'].includes(step.step)
      expect(takes || step.kind === 'offer').toBe(false)
    }
  }
})
