import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verdictAfter, verdictOf } from '../harness/broken-invariants.ts'
import { paid, startUcpShop } from '../harness/ucp-shop.ts'

/** The invariants of sales to buyers without an account: one that waits for its merchant, one that is paid, and one that was rejected. */
const shop = await startUcpShop()
let database: Client

beforeAll(async () => {
  database = new Client({ connectionString: shop.buying.app.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await shop.stop()
})

async function statesNow(): Promise<string[]> {
  await shop.buying.relayed()
  const { rows } = await database.query<{ state: string }>('select state from sales order by state')
  return rows.map(({ state }) => state)
}

test('they look at each sale, and hold', async () => {
  for (const [outcome, status] of [
    ['confirmed', 'completed'],
    ['rejected', 'canceled'],
    [null, 'complete_in_progress'],
  ] as const) {
    const { id } = await shop.create()
    await shop.ask(`/checkout-sessions/${id}/complete`, { body: paid() })
    if (outcome) await shop.answerOrder(await shop.orderOf(id), outcome)
    await shop.becomes(id, status)
  }
  await expect.poll(statesNow, { interval: 20 }).toEqual(['captured', 'ordered', 'released'])
  await shop.buying.audit()
  expect([await verdictOf(database, 'M5-sales'), await verdictOf(database, 'W2-sales')]).toEqual([
    { checked: 3, violations: [] },
    { checked: 3, violations: [] },
  ])
})

test.each([
  { id: 'M5-sales', damage: 'delete from sales' },
  { id: 'M5-sales', damage: 'delete from orders' },
  {
    id: 'M5-sales',
    damage: `update sales set captured_amount = captured_amount - 1 where state = 'captured'`,
  },
  { id: 'M5-sales', damage: `update sales set capture_reference = 'other' where state = 'captured'` },
  {
    id: 'M5-sales',
    damage: `update orders set payment_status = 'voided' where status = 'awaiting_confirmation'`,
  },
  {
    id: 'M5-sales',
    damage: `update orders set payment_status = 'captured' where status = 'awaiting_confirmation'`,
  },
  { id: 'M5-sales', damage: 'update sales set amount = amount + 1' },
  {
    id: 'W2-sales',
    damage: `update sales set due_at = now() - interval '61 seconds', lease_until = null where state = 'ordered'`,
  },
])('$id notices: $damage', async ({ id, damage }) => {
  expect((await verdictAfter(database, damage, { id })).violations).not.toEqual([])
})
