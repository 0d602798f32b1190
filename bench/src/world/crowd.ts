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
 * Gives an account `count` purchase intents like the model's, as old as if one had been made every second. Past the API: a million of
 * them would take an hour. Indexes and foreign keys are kept up, so what is measured afterwards is what use would have left.
 */
export async function copyIntents(
  world: World,
  { accountId, model, count }: { accountId: string; model: string; count: number },
): Promise<void> {
  const { database } = world
  const columns = await columnsOf(world, 'purchase_intents')
  const given: Record<string, string> = {
    account_id: '$1',
    id: `'pi_' || lpad(n::text, 26, '0')`,
    status: `case when n % 10 = 0 then 'awaiting_approval' else 'declined' end`,
    due_at: 'null',
    idempotency_key: 'null',
    payment_method_id: 'null',
    policy_id: 'null',
    created_at: `now() - n * interval '1 s'`,
  }
  await database.query(
    `insert into profiles (${(await columnsOf(world, 'profiles')).join(', ')})
     select ${(await columnsOf(world, 'profiles')).map((name) => (name === 'account_id' ? '$1' : name)).join(', ')}
     from profiles where id = (select profile_id from purchase_intents where id = $2)`,
    [accountId, model],
  )
  await database.query(
    `insert into purchase_intents (${columns.join(', ')})
     select ${columns.map((name) => given[name] ?? `m.${name}`).join(', ')}
     from purchase_intents m, generate_series(1, $3::int) as n where m.id = $2`,
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
