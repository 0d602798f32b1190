import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../src/platform/database/migrate.ts'
import { migrationsDirectory } from '../src/platform/database/migration-files.ts'
import { createTestDatabase } from './harness/database.ts'

const name = readdirSync(migrationsDirectory).find((file) => file.endsWith('_merchant_identity.sql')) ?? ''

/** A database as the version before left it, and what brings it to this one. */
async function databaseBefore(): Promise<{ client: Client; upgrade: () => Promise<unknown> }> {
  const directory = mkdtempSync(join(tmpdir(), 'before-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const file of readdirSync(migrationsDirectory)) {
    if (file < name) copyFileSync(join(migrationsDirectory, file), join(directory, file))
  }
  const database = await createTestDatabase({ empty: true })
  await migrate({ url: database.url, directory })
  const client = new Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await database.drop()
  })
  copyFileSync(join(migrationsDirectory, name), join(directory, name))
  return { client, upgrade: () => migrate({ url: database.url, directory }) }
}

const merchants = `
  insert into accounts (id, name, created_at) select 'acct_' || n, n, now() from unnest(array['buyer', 'a', 'b', 'c']) n;
  insert into merchants (account_id, mode, domain, domain_verified_at, verification_token, mcc, country, tax_basis_points, seq, created_at, updated_at)
  select account, mode::mode, domain, case when verified then now() end, 't', mcc, 'DE', 0, 1, now(), now() from (values
    ('acct_a', 'live', 'a.example', true, '5411'), ('acct_b', 'live', 'b.example', false, '5411'),
    ('acct_a', 'test', 'shop.example', true, '5411'), ('acct_b', 'test', 'de.shop.example', true, null),
    ('acct_c', 'test', 'claimed.example', false, '5999'), ('acct_buyer', 'test', 'own.example', false, '5999')
  ) as m (account, mode, domain, verified, mcc);
  insert into profiles (account_id, mode, id, profile_type, first_name, last_name, email, country, status, issuing_state, seq, created_at, updated_at)
  values ('acct_buyer', 'test', 'prof_1', 'consumer', 'A', 'L', 'a@example.com', 'GB', 'active', 'not_requested', 1, now(), now())`

const insertIntent = `
  insert into purchase_intents (account_id, mode, id, profile_id, status, currency, expected_amount, max_allowed_amount, fee_allowance,
    tax_allowance, tolerance_basis_points, on_price_exceed, items, fulfillment, policy_decision, policy_result, approval_required,
    metadata, actor_type, merchants, search, seq, created_at, updated_at)
  values ('acct_buyer', 'test', $1, 'prof_1', $2, 'EUR', 1, 1, 0, 0, 0, 'fail', $3, '{}', '{}', 'allow', true, '{}', 'api_key', '{}',
    '', 1, now(), now())`

test('purchases that can still buy are frozen with whom they would be bought from, item by item', async () => {
  const { client, upgrade } = await databaseBefore()
  await client.query(merchants)
  const sold = [
    ['https://SHOP.example/tea', 'acct_a'],
    ['https://user@www.shop.example:443/tea', 'acct_a'],
    ['https://x.de.shop.example', 'acct_b'],
    ['https://notshop.example/tea', null],
    ['https://claimed.example/tea', null],
    ['https://own.example/tea', 'acct_buyer'],
  ] as const
  const items = sold.map(([url], place) => ({ id: `item_${place}`, url, quantity: 1 }))
  await client.query(insertIntent, ['pi_open', 'awaiting_approval', JSON.stringify(items)])
  const quoted = [{ id: 'item_q', url: 'https://claimed.example/', merchant_account_id: 'acct_c' }]
  await client.query(insertIntent, ['pi_quoted', 'failed', JSON.stringify(quoted)])
  await client.query(insertIntent, ['pi_over', 'succeeded', JSON.stringify(items)])
  await upgrade()
  const read = async (id: string) =>
    (await client.query('select items from purchase_intents where id = $1', [id])).rows[0].items
  const open = await read('pi_open')
  expect(open).toMatchObject(items)
  expect(
    open.map(({ merchant }: { merchant: { account_id: string } | null }) => merchant?.account_id ?? null),
  ).toEqual(sold.map(([, account]) => account))
  expect(open[0].merchant).toEqual({
    account_id: 'acct_a',
    domain: 'shop.example',
    is_verified: true,
    mcc: '5411',
    is_mcc_confirmed: true,
    country: 'DE',
    is_country_confirmed: true,
  })
  expect((await read('pi_quoted'))[0].merchant).toMatchObject({ account_id: 'acct_c', is_verified: false })
  expect(await read('pi_over')).toEqual(items)
})

test('live merchants keep the category and country of that day, without a confirmation by a person', async () => {
  const { client, upgrade } = await databaseBefore()
  await client.query(merchants)
  await upgrade()
  const { rows } = await client.query(
    `select account_id, mode, mcc_confirmed, mcc_confirmed_at, country_confirmed, country_confirmed_at from merchants
     where mcc_confirmed is not null or country_confirmed is not null`,
  )
  expect(rows).toEqual([
    {
      account_id: 'acct_a',
      mode: 'live',
      mcc_confirmed: '5411',
      mcc_confirmed_at: null,
      country_confirmed: 'DE',
      country_confirmed_at: null,
    },
  ])
})
