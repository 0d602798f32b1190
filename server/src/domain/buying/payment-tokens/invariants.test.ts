import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Buying, startBuying } from '../../../../test/harness/buying.ts'
import { openTokenShop, withToken } from '../../../../test/harness/token-purchases.ts'
import type { InvariantRow } from '../../../platform/audit/invariants.ts'
import { checkLiveCredentials, checkTerms } from './invariants.sql.ts'

let buying: Buying
let database: Client
beforeAll(async () => {
  buying = await startBuying()
  const buyer = await buying.newBuyer()
  const shop = await openTokenShop(buying)
  const released = await withToken(buying, buyer, shop)
  await shop.release(await shop.authorize(released.token))
  await shop.report(released.token)
  await buying.ended(buyer, released.id)
  const charged = await withToken(buying, buyer, shop)
  await shop.capture(await shop.authorize(charged.token))
  await shop.report(charged.token)
  await buying.ended(buyer, charged.id)
  await withToken(buying, buyer, shop)
  await shop.close()
  database = new Client({ connectionString: buying.app.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await buying?.stop()
})

const statements = { M14: checkTerms({}), M15: checkLiveCredentials({}) }

async function verdict(id: keyof typeof statements): Promise<InvariantRow | undefined> {
  const { text, values } = statements[id]
  const { rows } = await database.query<InvariantRow>(text, [...values])
  return rows[0]
}

test('both look at every token, and hold', async () => {
  for (const id of ['M14', 'M15'] as const) {
    const row = await verdict(id)
    expect([id, Number(row?.checked), row?.violations]).toEqual([id, 3, null])
  }
})

test.each<[keyof typeof statements, string]>([
  ['M14', 'update payment_tokens set amount = amount - 1'],
  ['M14', `update payment_tokens set currency = 'EUR'`],
  ['M14', `update payment_tokens set merchant_account_id = 'acct_other'`],
  ['M14', `update payment_tokens set cart_id = 'cart_gone'`],
  ['M14', `update payment_tokens set intent_id = 'pi_gone' || id`],
  ['M14', 'update purchase_intents set max_allowed_amount = 1079, actual_amount = 0'],
  ['M14', 'update carts set max_attempts = 3'],
  [
    'M14',
    `update carts set past_no_return = false where status = 'in_progress'; update payment_tokens set order_id = 'ord_1'`,
  ],
  [
    'M14',
    `create temp table twin on commit drop as select * from carts limit 1; update twin set id = id || '_2', position = 1;
     insert into carts select * from twin`,
  ],
  [
    'M15',
    `update authorizations set status = 'authorized', claimed_at = null, captured_amount = 0 where status = 'voided'`,
  ],
  [
    'M15',
    `update authorizations set status = 'authorized', claimed_at = null, captured_amount = 0 where status = 'captured'`,
  ],
  ['M15', `update carts set status = 'cancelled', due_at = null where status = 'in_progress'`],
])('%s notices: %s', async (id, damage) => {
  await database.query('begin')
  try {
    // Foreign keys and triggers are the first wall; this is about the second one.
    await database.query('set local session_replication_role = replica')
    await database.query(damage)
    expect((await verdict(id))?.violations).not.toBeNull()
  } finally {
    await database.query('rollback')
  }
})
