import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { World } from './world.ts'

const main = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))

export type Account = { accountId: string; key: string }

/** Another account of the running service, opened as an operator opens one. */
export async function openAccount(world: World, name: string): Promise<Account> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[main, 'accounts', 'create', name, '--state', world.state, '--json'],
  ])
  const opened = JSON.parse(stdout)
  return { accountId: opened.account_id, key: opened.keys.secret_test }
}

/**
 * Fills tables without the API and without their indexes, which are built afterwards: a million rows through either would take an hour.
 * The measured tables are then as use would have left them, vacuumed.
 */
export async function fillTables(
  world: World,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const { database } = world
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(plainIndexes, [tables])
  // The way in which the rows are made keeps the foreign keys.
  await database.query('set session_replication_role = replica')
  await database.query('set synchronous_commit = off')
  for (const { name } of indexes) await database.query(`drop index ${name}`)
  await fill()
  await database.query(`set maintenance_work_mem = '1GB'`)
  for (const { definition } of indexes) await database.query(definition)
  await database.query('set session_replication_role = origin')
  await database.query(`vacuum analyze ${tables.join(', ')}`)
}

/** The indexes that belong to no constraint. */
const plainIndexes = `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i where i.indrelid = any($1::text[]::regclass[])
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`

type Copies = { accountId: string; model: string; count: number }

/**
 * Gives an account `count` purchase intents like the model's, as old as if one had been made every second, each with a reference of its
 * own and at one of five hundred shops.
 */
export async function copyIntents(world: World, { accountId, model, count }: Copies): Promise<void> {
  await world.database.query(
    `insert into profiles (${(await columnsOf(world, 'profiles')).join(', ')})
     select ${(await columnsOf(world, 'profiles')).map((name) => (name === 'account_id' ? '$1' : name)).join(', ')}
     from profiles where (account_id, id) = (select account_id, profile_id from purchase_intents where id = $2)`,
    [accountId, model],
  )
  const shop = `'shop-' || n % 500 || '.example'`
  await copyRows(
    world,
    'purchase_intents',
    { accountId, model, count },
    {
      id: `'pi_' || lpad(n::text, 26, '0')`,
      status: `case when n % 10 = 0 then 'awaiting_approval' else 'declined' end`,
      due_at: 'null',
      idempotency_key: 'null',
      payment_method_id: 'null',
      policy_id: 'null',
      reference_id: `'order-' || n`,
      merchants: `array[${shop}]`,
      search: `'pi_' || lpad(n::text, 26, '0') || ' ' || m.profile_id || ' order-' || n || ' ' || ${shop}`,
      created_at: `now() - n * interval '1 s'`,
    },
  )
  // As the followers of their events would have written them.
  await world.database.query(
    `insert into purchase_terms (account_id, mode, term, intent_id)
     select account_id, mode, term, id from purchase_intents, unnest(array_append(merchants, reference_id)) as term where account_id = $1`,
    [accountId],
  )
}

/** Gives an account `count` items like the model. */
export function copyItems(world: World, copies: Copies): Promise<void> {
  return copyRows(world, 'catalog_items', copies, {
    id: `'cat_' || lpad(n::text, 26, '0')`,
    handle: `'thing-' || n`,
    title: `'Thing number ' || n`,
    url: 'null',
    url_key: 'null',
    variants: `jsonb_build_array(m.variants -> 0 || jsonb_build_object('sku', 'SKU-' || n))`,
  })
}

async function copyRows(
  world: World,
  table: string,
  { accountId, model, count }: Copies,
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const columns = await columnsOf(world, table)
  const values = columns.map((name) => (name === 'account_id' ? '$1' : (given[name] ?? `m.${name}`)))
  await world.database.query(
    `insert into ${table} (${columns.join(', ')})
     select ${values.join(', ')} from ${table} m, generate_series(1, $3::int) as n where m.id = $2`,
    [accountId, model, count],
  )
}

async function columnsOf({ database }: World, table: string): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  return rows.map(({ name }) => name)
}
