import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../src/platform/database/migrate.ts'
import { migrationsDirectory } from '../src/platform/database/migration-files.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'

const [first = '', copying = '', ...others] = readdirSync(migrationsDirectory).filter((file) =>
  file.includes('_narrow_updates'),
)

let directory: string
let database: TestDatabase
let client: Client
let other: Client
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'before-'))
  bring(...readdirSync(migrationsDirectory).filter((file) => file < first))
  database = await createTestDatabase({ empty: true })
  await upgrade()
  client = new Client({ connectionString: database.url })
  other = new Client({ connectionString: database.url })
  await Promise.all([client.connect(), other.connect()])
  await client.query(rowsBefore)
})
afterEach(async () => {
  await Promise.all([client.end(), other.end()])
  await database.drop()
  rmSync(directory, { recursive: true })
})

const bring = (...files: string[]) => {
  for (const file of files) copyFileSync(join(migrationsDirectory, file), join(directory, file))
}
const upgrade = () => migrate({ url: database.url, directory })

/** Purchases of one account, as the version before left them; some are older than rules which hold for new rows alone. */
const rowsBefore = `
  set session_replication_role = replica;
  alter table purchase_intents drop constraint purchase_intents_address_frozen;
  insert into purchase_intents (account_id, mode, id, profile_id, status, currency, expected_amount, max_allowed_amount, fee_allowance,
    tax_allowance, tolerance_basis_points, on_price_exceed, items, fulfillment, policy_decision, policy_result, approval_required,
    metadata, actor_type, merchants, search, seq, ship_to, due_at, created_at, updated_at)
  select 'acct_1', 'test', 'pi_' || n, 'prof_1', 'succeeded', 'EUR', n, n, 0, 0, 0, 'fail', '[]', '{}', '{}', 'allow', true,
    '{}', 'api_key', '{}', 'search ' || n, n, case when n % 7 = 0 then 'frozen' end, case when n % 5 = 0 then now() end, now(), now()
  from generate_series(1, 1200) n;
  alter table purchase_intents add constraint purchase_intents_address_frozen
    check (ship_to is distinct from 'frozen' or coalesce(jsonb_typeof(fulfillment -> 'address') = 'object', false)) not valid;
  insert into carts (account_id, mode, id, intent_id, position, merchant_name, merchant_domain, channel, items, status, attempt_id, currency,
    expected_amount, max_allowed_amount, fee_allowance, tax_allowance, tolerance_basis_points, created_at, updated_at)
  select account_id, mode, 'cart_' || seq, id, 1, 'A', 'a.example', 'native', '[]', 'succeeded', 'att_' || seq, 'EUR', seq, seq, 0, 0, 0,
    now(), now()
  from purchase_intents;
  insert into orders (account_id, mode, id, merchant_account_id, merchant_name, purchase_intent_id, cart_id, attempt, status, payment_status,
    currency, subtotal_amount, fulfillment_amount, tax_amount, discount_amount, total_amount, line_items, customer, expires_at, seq,
    created_at, updated_at)
  select account_id, mode, 'ord_' || seq, 'acct_2', 'A', id, 'cart_' || seq, 1, 'cancelled', 'voided', 'EUR', seq, 0, 0, 0, seq, '[]',
    '{"email": "a@example.com"}', now(), seq, now(), now()
  from purchase_intents where seq % 2 = 0;
  reset session_replication_role`

const storedRows = async () => {
  const { rows } = await client.query<{ row: unknown }>(
    `select row from (select to_jsonb(i) as row from purchase_intents i union all select to_jsonb(c) from carts c
       union all select to_jsonb(o) from orders o) as stored order by row ->> 'id'`,
  )
  return rows
}

/** Everything that the schema says of tables, but for the order of their columns. */
const said = async () => {
  const { rows } = await client.query<{ line: string }>(
    `select concat_ws(' ', table_name, column_name, data_type, domain_name, is_nullable, column_default, collation_name,
       generation_expression) as line from information_schema.columns where table_schema = 'public'
     union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint where conrelid <> 0
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select concat_ws(' ', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
     union all select concat_ws(' ', proname, pronargs) from pg_proc where pronamespace = 'public'::regnamespace
     union all select concat_ws(' ', c.relname, g.grantee::regrole, g.privilege_type)
       from pg_class c cross join lateral aclexplode(c.relacl) g where c.relnamespace = 'public'::regnamespace`,
  )
  return rows.map(({ line }) => line).sort()
}

test('names, types, rules, triggers and rights stay, but for references that no order has yet', async () => {
  const reader = `reader_${randomBytes(4).toString('hex')}`
  await client.query(`create role ${reader}; grant select on purchase_intents, carts to ${reader}`)
  try {
    const [rows, before] = [await storedRows(), await said()]
    bring(first, copying, ...others)
    await upgrade()
    expect(await storedRows()).toEqual(rows)
    const after = await said()
    expect(before.filter((line) => !after.includes(line))).toEqual([
      expect.stringMatching(/orders_confirmation_reference .*confirmation_reference\)$/),
    ])
    expect(after.filter((line) => !before.includes(line))).toEqual([
      expect.stringMatching(/orders_confirmation_reference .* WHERE \(confirmation_reference IS NOT NULL\)$/),
    ])
  } finally {
    await client.query(`drop owned by ${reader}; drop role ${reader}`)
  }
})

test('what is written while rows are copied is there afterwards, and the copy does not wait for who holds a row', async () => {
  bring(first)
  await upgrade()
  await client.query(`update purchase_intents set actual_amount = 1 where id = 'pi_1'`)
  await other.query('begin')
  await other.query(`select from purchase_intents where id = 'pi_2' for update`)
  bring(copying)
  const copied = upgrade()
  await expect
    .poll(
      async () => (await client.query('select count(*)::int as copied from purchase_intents_narrow')).rows,
    )
    .toEqual([{ copied: 1199 }])
  await other.query(`update purchase_intents set actual_amount = 2 where id in ('pi_2', 'pi_3')`)
  await other.query('commit')
  await copied
  await client.query(`update carts set stage = 'late' where id = 'cart_4'`)
  const rows = await storedRows()
  bring(...others)
  await upgrade()
  expect(await storedRows()).toEqual(rows)
  const { rows: changed } = await client.query(
    `select id, actual_amount::int as amount from purchase_intents where actual_amount > 0 order by id`,
  )
  expect(changed).toEqual([
    { id: 'pi_1', amount: 1 },
    { id: 'pi_2', amount: 2 },
    { id: 'pi_3', amount: 2 },
  ])
})

test('a copy that was interrupted goes on', async () => {
  bring(first)
  await upgrade()
  await client.query(`call copy_narrow('purchase_intents')`)
  await client.query(`update purchase_intents set actual_amount = 1 where seq <= 700 and ship_to is null`)
  const rows = await storedRows()
  bring(copying, ...others)
  await upgrade()
  expect(await storedRows()).toEqual(rows)
})
