import { expect, test } from 'vitest'
import { judgeAll, planted } from './check-judges.ts'
import type { RunFacts } from './run-facts.ts'
import type { Deed, JournalLine, Told } from './synced-journal.ts'

const at = '2030-01-01T00:00:00Z'

function ask(name: string, deed: Deed, target: string | null): JournalLine {
  return { kind: 'asked', at, name, deed, wish: 1, target }
}

function answer(
  name: string,
  deed: Deed,
  { id, told, code }: { id?: string; told?: Told; code?: string },
): JournalLine {
  const status = code === undefined ? 201 : 409
  return {
    ...{ kind: 'answered', at, name, deed, wish: 1, tries: 1 },
    ...{ status, id: id ?? null, code: code ?? null, told: told ?? null },
  }
}

const line = (amount: number, catalog_item_id: string | null) => ({ catalog_item_id, amount })
const totals = (subtotal: number, discount: number) => [
  { type: 'subtotal', amount: subtotal },
  ...(discount > 0 ? [{ type: 'discount', amount: discount }] : []),
]
const order = {
  status: 'confirmed',
  payment_status: 'captured',
  fulfillments: [],
  adjustments: [],
  refunds: [],
}
const entry = (operation: string, reference: string, amount: number, key: string) => ({
  ...{ operation, reference, amount, key, result: 'approved' },
})
const event = (id: string, sequence: number) => ({
  id,
  type: 'order.requested',
  aggregate: 'ord_1',
  sequence,
})

/** Two carts of three, of which the second was turned away at first. */
const several = {
  purchase: {
    ...{ id: 'pi_6', status: 'succeeded', partial: false, actual_amount: 2000, max_allowed_amount: 2000 },
    carts: ['cart_6a', 'cart_6b'].map((id, index) => ({
      ...{ id, status: 'succeeded', channel: 'native', order: `ord_6${index}`, attempt_number: index + 1 },
      ...{ actual_amount: 1000, max_allowed_amount: 1000 },
    })),
  },
  holds: [
    { cart: 'cart_6a', attempt: 1, status: 'captured' },
    { cart: 'cart_6b', attempt: 1, status: 'voided' },
    { cart: 'cart_6b', attempt: 2, status: 'captured' },
  ],
  orders: [
    { cart: 'cart_6a', attempt: 1, id: 'ord_60' },
    { cart: 'cart_6b', attempt: 1, id: 'ord_6r' },
    { cart: 'cart_6b', attempt: 2, id: 'ord_61' },
  ],
}

/** A checkout that was paid with the token of an unattended purchase. */
const sales = {
  checkouts: [{ id: 'chk_7', state: 'completing', order: 'ord_7' }],
  sales: [
    {
      ...{ order: 'ord_7', state: 'captured', amount: 1000, total_amount: 1000 },
      ...{ status: 'confirmed', payment_status: 'captured' },
    },
  ],
  tokens: [
    {
      ...{ id: 'tok_7', order: 'ord_7', amount: 1000, intent: 'pi_7', cart: 'cart_7', status: 'succeeded' },
      ...{ actual_amount: 1000, max_allowed_amount: 1200 },
      reservations: [{ state: 'settled', actual_amount: 1000 }],
    },
  ],
}

/** A cart at a shop that has never heard of us, in its second attempt. */
const strangers = {
  purchases: [
    {
      ...{ id: 'pi_8', status: 'succeeded', actual_amount: 3240, max_allowed_amount: 4000 },
      carts: [
        {
          ...{ id: 'cart_8', status: 'succeeded', channel: 'ucp', order: 'ord_8', route: {} },
          ...{ actual_amount: 3240, max_allowed_amount: 4000 },
        },
      ],
    },
  ],
  credentials: [
    { id: 'cred_81', cart: 'cart_8', attempt: '1', charged: 0, isUsable: false },
    { id: 'cred_82', cart: 'cart_8', attempt: '2', charged: 3240, isUsable: false },
  ],
  charges: [{ name: 'ucp:100001', credential: 'cred_82', amount: 3240 }],
  booked: [
    { name: 'ucp:100001', state: 'paid', paid: 1 },
    { name: 'ucp:100002', state: 'declined', paid: 0 },
  ],
}

/** A run in which one of everything went well: a quote, a return, an order made cheaper, a discount, a retry. */
const whole: RunFacts = {
  journal: [
    ask('quote-wish-1', 'quote', null),
    answer('quote-wish-1', 'quote', {
      id: 'quo_1',
      told: { status: 'quoted', offer: 'offer_1', total: 2500 },
    }),
    ask('accept-wish-1', 'accept', 'quo_1'),
    answer('accept-wish-1', 'accept', { id: 'pi_1', told: { total: 2500 } }),
    ask('fulfill-wish-2', 'fulfill', 'ord_2'),
    answer('fulfill-wish-2', 'fulfill', { id: 'ord_2' }),
    ask('refund-part-wish-2', 'refund', 'ord_2'),
    answer('refund-part-wish-2', 'refund', { id: 'ord_2', told: { refund: 'rfd_1', amount: 1000 } }),
    ask('refund-rest-wish-2', 'refund', 'ord_2'),
    answer('refund-rest-wish-2', 'refund', { id: 'ord_2', told: { refund: 'rfd_2', amount: 1500 } }),
    ask('refund-again-wish-2', 'refund', 'ord_2'),
    answer('refund-again-wish-2', 'refund', { code: 'refund_exceeds_captured' }),
    ask('reprice-wish-3', 'reprice', 'ord_3'),
    answer('reprice-wish-3', 'reprice', { id: 'ord_3', told: { total: 2100 } }),
    ask('quote-wish-5', 'quote', null),
    answer('quote-wish-5', 'quote', { code: 'responder_failed' }),
    ask('retry-1-wish-6', 'retry', 'pi_6'),
    answer('retry-1-wish-6', 'retry', { id: 'pi_6', told: { retries: 1 } }),
    ask('checkout-wish-7', 'checkout', null),
    answer('checkout-wish-7', 'checkout', { id: 'chk_7' }),
    ask('complete-1-wish-7', 'complete', 'chk_7'),
    answer('complete-1-wish-7', 'complete', { id: 'chk_7', told: { status: 'complete_in_progress' } }),
  ],
  stored: {
    profiles: new Set(),
    purchases: new Map([
      ['wish-1', [{ id: 'pi_1', events: ['purchase_intent.created'] }]],
      ['wish-6', [{ id: 'pi_6', events: ['purchase_intent.created', 'purchase_intent.retried'] }]],
    ]),
  },
  traded: {
    quotes: [
      {
        ...{ id: 'quo_1', status: 'ordered', metadata: { wish: 'wish-1' } },
        offers: [{ id: 'offer_1', total_amount: 2500 }],
        ...{ accepted_offer_id: 'offer_1', purchase_intent_id: 'pi_1' },
      },
      {
        ...{ id: 'quo_5', status: 'failed', metadata: { wish: 'wish-5' } },
        ...{ offers: [], accepted_offer_id: null, purchase_intent_id: null },
      },
    ],
    quoted: [{ id: 'pi_1', quote: 'quo_1', status: 'succeeded', actual_amount: 2500 }],
    orders: [
      {
        ...{ ...order, id: 'ord_1', name: 'pi_1/cart_1', total_amount: 2500 },
        ...{ line_items: [line(2500, 'cat_ok')], totals: totals(2500, 0) },
      },
      {
        ...{ ...order, id: 'ord_2', name: 'pi_2/cart_2', total_amount: 2500, payment_status: 'refunded' },
        ...{ line_items: [line(2500, 'cat_ok')], totals: totals(2500, 0) },
        fulfillments: [{ tracking_number: 'fulfill-wish-2' }],
        refunds: [
          { id: 'rfd_1', amount: 1000, status: 'succeeded', reason: 'refund-part-wish-2' },
          { id: 'rfd_2', amount: 1500, status: 'succeeded', reason: 'refund-rest-wish-2' },
        ],
      },
      {
        ...{ ...order, id: 'ord_3', name: 'pi_3/cart_3', total_amount: 2100 },
        ...{ line_items: [line(2500, 'cat_late')], totals: totals(2100, 0) },
        adjustments: [{ type: 'reprice', amount: 400, reason: 'reprice-wish-3' }],
      },
      {
        ...{ ...order, id: 'ord_4', name: 'pi_4/cart_4', total_amount: 2000 },
        ...{ line_items: [line(2500, 'cat_sale')], totals: totals(2500, 500) },
      },
    ],
    several: [several],
    sales,
    strangers,
    promotion: { cap: 1, discount: 500, uses: 1, given: 500, items: ['cat_sale'] },
    listener: {
      owed: [event('evt_1', 1), event('evt_2', 2), event('evt_3', 3)],
      deliveries: [
        { event: 'evt_1', status: 'succeeded', attempts: [500, 200] },
        { event: 'evt_2', status: 'succeeded', attempts: [200] },
        { event: 'evt_3', status: 'succeeded', attempts: [200] },
      ],
      heard: [
        { event: 'evt_1', status: 500 },
        { event: 'evt_2', status: 200 },
        { event: 'evt_1', status: 200 },
        { event: 'evt_3', status: 200 },
      ],
    },
  },
  testimony: {
    processor: [
      entry('capture', 'pi_1/cart_1', 2500, 'cart_1:1:capture'),
      entry('capture', 'pi_2/cart_2', 2500, 'cart_2:1:capture'),
      entry('refund', 'pi_2/cart_2', 1000, 'rfd_1'),
      entry('refund', 'pi_2/cart_2', 1500, 'rfd_2'),
      entry('capture', 'pi_3/cart_3', 2100, 'cart_3:1:capture'),
      entry('capture', 'pi_4/cart_4', 2000, 'cart_4:1:capture'),
      ...['cart_6a:1', 'cart_6b:1', 'cart_6b:2'].map((attempt) =>
        entry('authorize', `pi_6/${attempt.split(':')[0]}`, 1000, `${attempt}:authorize`),
      ),
      entry('issue_credential', 'pi_7/cart_7', 1000, 'cart_7:1:issue_credential'),
      entry('charge_credential', 'sale ord_7', 1000, 'sal_7:1'),
      entry('capture', 'sale ord_7', 1000, 'sal_7:2'),
      entry('capture', 'pi_6/cart_6a', 1000, 'cart_6a:1:capture'),
      entry('capture', 'pi_6/cart_6b', 1000, 'cart_6b:2:capture'),
    ],
    shops: [],
    merchant: ['ord_60', 'ord_61', 'ord_7'].map((order_id) => ({
      kind: 'order',
      status: 'confirmed',
      order_id,
    })),
  },
}

const broken = (facts: RunFacts) =>
  judgeAll(facts).flatMap(({ id, violations }) => violations.map((what) => `${id} ${what}`))

test('a run in which every answer was kept breaks no invariant', () => {
  expect(broken(whole)).toEqual([])
})

test.each(planted)('$id notices that $fault', ({ id, plant }) => {
  const facts = plant(whole)
  expect(facts && broken(facts).filter((what) => what.startsWith(`${id} `))).not.toEqual([])
  expect(facts).not.toBeNull()
})

test('a shop that was killed before it heard that it was paid has an order that is still being charged', () => {
  const asking = (state: string) => ({
    ...whole,
    traded: {
      ...whole.traded,
      strangers: { ...strangers, booked: [{ name: 'ucp:100001', state, paid: 0 }] },
    },
  })
  expect(broken(asking('charging'))).toEqual([])
  expect(broken(asking('declined'))).toEqual([
    'W3-strangers-outside ucp:100001 is declined and was paid 0 times by its shop, 1 times by the processor',
  ])
})

test('a refused write is not there, and was refused for a fair reason', () => {
  const { traded } = whole
  const lied = traded.quotes.map((quote) => (quote.id === 'quo_5' ? { ...quote, status: 'quoted' } : quote))
  const less = traded.orders.map((one) => ({
    ...one,
    refunds: one.refunds.map((refund) => (refund.id === 'rfd_2' ? { ...refund, amount: 1400 } : refund)),
  }))
  expect(broken({ ...whole, traded: { ...traded, quotes: lied } })).toEqual([
    'W2-answers quote-wish-5 was told that its merchant failed, and is quoted',
  ])
  expect(broken({ ...whole, traded: { ...traded, orders: less } })).toContain(
    'W2-answers refund-again-wish-2 was refused with 2400 of 2500 given back',
  )
})

test('a first attempt without an answer proves nothing about the order of events', () => {
  const { listener } = whole.traded
  const heard = [
    { event: 'evt_2', status: 200 },
    { event: 'evt_1', status: 200 },
    { event: 'evt_3', status: 200 },
  ]
  const withFirst = (attempts: (number | null)[]) => ({
    ...whole,
    traded: {
      ...whole.traded,
      listener: {
        ...listener,
        heard,
        deliveries: listener.deliveries.map((one) => (one.event === 'evt_1' ? { ...one, attempts } : one)),
      },
    },
  })
  expect(broken(withFirst([null, 200]))).toEqual([])
  expect(broken(withFirst([200]))).toEqual(['E5-buyers-outside ord_1: 1 was heard after 2'])
})
