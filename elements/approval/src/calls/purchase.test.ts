import { expect, test } from 'vitest'
import { purchaseOf } from './purchase.ts'

const rule = (name: string, result = 'require_approval') => ({ rule: name, result })
const asked = (evaluated: object[], type = 'approve') =>
  purchaseOf({ items: [], next_action: { type }, policy_decision: { evaluated } }).reasons

test.each([
  [[rule('approval.mode')], 'approve', ['always']],
  [[rule('approval.auto_approve_up_to'), rule('limits.intervals.day.max_amount')], 'approve', ['limit']],
  [[rule('merchants.allow'), rule('approval.mode')], 'approve', ['merchant', 'always']],
  [[rule('limits.per_transaction_max', 'allow')], 'verify_payment', ['card']],
  [[], 'select_payment_method', ['card']],
  [[], 'approve', ['always']],
  [[rule('approval.mode')], 'reapprove_price', ['price']],
])('why a person is asked: %j with %s', (evaluated, type, reasons) => {
  expect(asked(evaluated, type)).toEqual(reasons)
})

test('what is asked is the new price, where the shop has changed it', () => {
  const item = { id: 'item_1', url: 'https://shop.example/a/gr%C3%BCn', quantity: 2, expected_amount: 1000 }
  const said = {
    id: 'pi_1',
    currency_code: 'EUR',
    max_allowed_amount: 2500,
    items: [item],
    next_action: null,
  }
  expect(purchaseOf(said)).toMatchObject({
    cap: 2500,
    shops: [{ host: 'shop.example', items: [{ name: 'grün', amount: 1000, quantity: 2 }] }],
  })
  const proposal = { items: [{ id: 'item_1', unit_amount: 1200 }], max_allowed_amount: 3000 }
  expect(purchaseOf({ ...said, next_action: { type: 'reapprove_price', proposal } })).toMatchObject({
    cap: 3000,
    hasRisen: true,
    shops: [{ items: [{ amount: 1200 }] }],
  })
})

test('what shops get again of what was kept stands there in their words, without marks that are obeyed, beside the host', () => {
  const shop_answers = [{ host: 'shop.example', name: 'phone', label: 'Ph\u202eone' }]
  expect(purchaseOf({ shop_answers })).toMatchObject({ answers: ['Phone (shop.example)'] })
  expect(purchaseOf({})).toMatchObject({ answers: [] })
})
