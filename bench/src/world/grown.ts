import { fillTables } from './crowd.ts'
import type { World } from './world.ts'

/** The tables that purchases fill, with the rows that each of them had. */
type Filling = ReadonlyMap<string, number>

/** How many rows each table of tenants has. */
export async function countRows({ database }: World): Promise<Filling> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'account_id' and t.table_type = 'BASE TABLE' order by 1`,
  )
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await database.query<{ count: number }>(`select count(*)::int as count from ${name}`)
    counts.set(name, rows[0]?.count ?? 0)
  }
  return counts
}

/**
 * Makes the database as large as if `purchases` more purchases had been made and had succeeded. In every table that has grown since
 * `before`, the last row of each account is copied so often: the tables get a row for each purchase, with ids of its own, in the order of
 * time. Which tables they are follows from the purchases that were made, so that nobody keeps a list.
 */
export async function growBy(world: World, before: Filling, purchases: number): Promise<string[]> {
  const now = await countRows(world)
  const grown = [...now].flatMap(([table, rows]) => (rows > (before.get(table) ?? 0) ? [table] : []))
  const filled: string[] = []
  await fillTables(world, grown, async () => {
    for (const table of grown) if (await copyLast(world, table, purchases)) filled.push(table)
  })
  return filled
}

type Column = { name: string; type: string; is_key: boolean; place: number | null }

/** Whether it could: what a tenant has once does not grow with its purchases. */
async function copyLast({ database }: World, table: string, copies: number): Promise<boolean> {
  const { rows: columns } = await database.query<Column>(columnsOf, [table])
  const lastOfKey = columns.filter(({ is_key }) => is_key).sort((a, b) => (b.place ?? 0) - (a.place ?? 0))[0]
  const { rows: ids } = await database.query<{ count: number }>(
    `select count(*)::int as count from ${table} m where (${columns
      .filter(({ is_key, type, name }) => is_key && type === 'text' && name !== 'account_id')
      .map(({ name }) => `m.${name} ~ '${idPattern}'`)
      .concat('false')
      .join(' or ')})`,
  )
  const hasIdInKey = (ids[0]?.count ?? 0) > 0
  const isOfTenant = lastOfKey?.name === 'account_id' || lastOfKey?.type === 'mode'
  if (isOfTenant) return false
  const values = columns.map(({ name, type }) => {
    if (!hasIdInKey && name === lastOfKey?.name)
      return type === 'text' ? `m.${name} || '-' || n` : `m.${name} + 1000000 + n`
    // A span begins as far on as it ends.
    if (name === 'first_position') return `m.${name} + 1000000 + n`
    // Keys of requests hold no id.
    if (type === 'text' && name.endsWith('key')) return `m.${name} || '-' || n`
    // Long texts are bodies, which nothing looks for.
    if (type === 'text' && name !== 'account_id')
      return `case when length(m.${name}) < 200 then regexp_replace(m.${name}, '${idPattern}', '\\1_' || lpad(n::text, 10, '0'), 'g') else m.${name} end`
    return name === 'created_at' ? `m.${name} - n * interval '1 s'` : `m.${name}`
  })
  const { rows: named } = await database.query<{ count: number }>(
    `select count(*)::int as count from ${table} m where m::text ~ '${purchasePattern}'`,
  )
  // Rows about something else have keys that are not made anew; a table may also name no purchase at all.
  const models = (named[0]?.count ?? 0) > 0 ? `m::text ~ '${purchasePattern}'` : 'true'
  await database.query(
    `with models as (
       select distinct on (account_id) * from ${table} m where ${models} order by account_id, xmin::text::bigint desc)
     insert into ${table} (${columns.map(({ name }) => name).join(', ')})
     select ${values.join(', ')} from models m,
       generate_series(1, ceil($1::numeric / (select count(*) from models))::int) as n`,
    [copies],
  )
  return true
}

/** Ids of what a purchase makes, up to the end of their time. */
const idPattern = '\\m(pi|cart|ord|evt|dlv|att|item|req|rfd)_[0-9a-z]{10}'

/** What a row of a purchase names, and rows of the same table about other things do not. */
const purchasePattern = '\\m(pi|cart|ord)_[0-9a-z]{26}'

const columnsOf = `
  select a.attname as name, case when t.typtype = 'd' then format_type(t.typbasetype, null) else format_type(t.oid, null) end as type,
    coalesce(a.attnum = any(k.conkey), false) as is_key, array_position(k.conkey, a.attnum) as place
  from pg_attribute a join pg_type t on t.oid = a.atttypid
  left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'p'
  where a.attrelid = $1::text::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
  order by a.attnum`
