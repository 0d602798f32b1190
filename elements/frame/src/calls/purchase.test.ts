import { expect, test } from 'vitest'
import { getPurchase } from './purchase.ts'
import type { SessionCalls } from './session.ts'

function purchaseIn(value: Record<string, unknown>) {
  return getPurchase({ ask: async () => ({ kind: 'done', value }) } as unknown as SessionCalls)
}

const item = { id: 'item_1', url: 'https://shop.example/a/tea%20pot', quantity: 2, expected_amount: 500 }

test('what is bought stands under its shop, by what its address ends with', async () => {
  const variant = { selections: [{ name: 'Size', value: 'M' }] }
  const items = [
    { ...item, variant },
    { ...item, id: 'item_2', url: 'https://b\u00fccher.example:8443/%E0', variant: null },
    { ...item, id: 'item_3', url: 'https://shop.example/' },
  ]
  const said = { items, currency_code: 'EUR', max_allowed_amount: 4000, profile_payment_method_id: 'pm_1' }
  expect(await purchaseIn(said)).toMatchObject({
    value: {
      cardId: 'pm_1',
      currency: 'EUR',
      cap: 4000,
      shops: [
        {
          host: 'shop.example',
          items: [
            { name: 'tea pot', choices: ['M'], quantity: 2, amount: 500 },
            { name: 'shop.example', choices: [] },
          ],
        },
        // As browsers write it: no letter looks like another.
        { host: 'xn--bcher-kva.example:8443', items: [{ name: '%E0' }] },
      ],
    },
  })
})

test('a price that the shop has changed is the one that is asked for', async () => {
  const proposal = { items: [{ id: 'item_1', unit_amount: 700 }], max_allowed_amount: 5000 }
  const next_action = { type: 'reapprove_price', proposal }
  expect(await purchaseIn({ items: [item], max_allowed_amount: 4000, next_action })).toMatchObject({
    value: { cap: 5000, shops: [{ items: [{ amount: 700 }] }] },
  })
})
