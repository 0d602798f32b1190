import { expect, test } from 'vitest'
import { sizeFindings } from './tidy/places.ts'
import { sourceFile } from './tidy/rule.ts'
import { rules, tidyFile } from './tidy.ts'

const slash = '/'
const mark = '  // guard below-the-cap: nothing is paid above the cap\n'

/** For every rule: what it must find, and its nearest lawful neighbours. */
const cases: Record<
  string,
  { found: [path: string, text: string][]; lawful: [path: string, text: string][] }
> = {
  'file-size': {
    found: [
      'server/src/core/long.ts',
      'server/src/core/long.test.ts',
      'server/test/suites/long.ts',
      'sandbox/src/long.test.ts',
      'sandbox/bin/long.mjs',
      'bench/src/long.js',
    ].map((path): [string, string] => [path, 'x\n'.repeat(401)]),
    lawful: [
      ['server/src/core/long.ts', 'x\n'.repeat(400)],
      ['server/src/core/long.test.ts', 'x\n'.repeat(400)],
      ['server/src/core/long.ts', `${mark}${'x\n'.repeat(400)}`],
      ['server/migrations/long.sql', 'x\n'.repeat(401)],
      ['docs/long.md', 'x\n'.repeat(401)],
    ],
  },
  'function-size': {
    found: [
      ['server/src/core/a.ts', `function long() {\n${'  x()\n'.repeat(69)}}`],
      ['sandbox/src/a.ts', `const long = () => {\n${'  x()\n'.repeat(69)}}`],
      ['bench/src/a.ts', `class A {\n  long() {\n${'  x()\n'.repeat(69)}}\n}`],
      ['server/src/core/a.test.ts', `test('a', () => {\n${'  x()\n'.repeat(69)}})`],
      ['server/src/core/a.ts', `function long() {\n  each(() => {\n${'  x()\n'.repeat(68)}})}`],
    ],
    lawful: [
      ['server/src/core/a.ts', `function fits() {\n${'  x()\n'.repeat(68)}}`],
      ['server/src/core/a.ts', `function fits() {\n${mark}${'  x()\n'.repeat(68)}}`],
      [
        'server/src/core/a.ts',
        `function make() {\n  function inner() {\n${'  x()\n'.repeat(68)}}\n  return inner\n}`,
      ],
      [
        'server/src/core/a.test.ts',
        `describe('a', () => {\n${`test('b', () => {\n  x()\n})\n`.repeat(40)}})`,
      ],
      ['server/src/core/a.ts', `const table = {\n${'  x: 1,\n'.repeat(100)}}`],
    ],
  },
  'no-drawers': {
    found: [
      ['server/src/core/utils.ts', ''],
      ['server/src/domain/trade/orders/order-helpers.ts', ''],
      ['server/src/domain/trade/orders/orders.service.ts', ''],
      ['server/src/domain/trade/orders/index.ts', ''],
      ['sandbox/src/helper.ts', ''],
      ['server/test/utils.test.ts', ''],
    ],
    lawful: [
      ['server/src/core/money.ts', ''],
      ['server/src/domain/discovery/catalog-search/reindex.ts', ''],
      ['docs/index.md', ''],
    ],
  },
  'no-fixed-limit': {
    found: ['}, 60_000)', ' .poll(a, { timeout: 1000 })'].map((text) => ['sandbox/test/a.test.ts', text]),
    lawful: ['}, patientMs(60_000))', ' .poll(a)'].map((text) => ['server/test/harness/a.ts', text]),
  },
  'known-workspace': {
    found: [
      ['toys/src/toy.ts', ''],
      ['toys/main.mjs', ''],
    ],
    lawful: [
      ['server/src/core/id.ts', ''],
      ['docs/program.mjs', ''],
      ['toys/README.md', ''],
      ['vitest.config.ts', ''],
    ],
  },
  'known-layer': {
    found: [
      ['server/src/lib/money.ts', ''],
      ['server/src/money.ts', ''],
    ],
    lawful: [
      ['server/src/core/money.ts', ''],
      ['server/src/app.ts', ''],
      ['server/src/cli/commands/up.ts', ''],
    ],
  },
  'no-registry-address': {
    found: [
      ['docs/install.md', `npm i --registry https://${'registry.npm'}js.org`],
      ['.npmrc', 'registry=https://packages.example.com'],
      ['.npmrc', '@us:registry = https://packages.example.com'],
      ['package-lock.json', '"resolved": "https://packages.example.com/a.tgz"'],
    ],
    lawful: [
      ['package-lock.json', '"resolved": "server", "link": true'],
      ['server/src/domain/discovery/registry/entry.ts', `const registry = 'https://example.com/v1/registry'`],
    ],
  },
  'no-home-path': {
    found: [
      ['docs/install.md', `cd ${slash}home/ann/prokura`],
      ['server/src/core/a.ts', `const path = '${slash}Users/ann/x'`],
      ['README.md', `see ${slash}root/.config`],
      ['README.md', `C:${'\\'}Users${'\\'}ann`],
    ],
    lawful: [
      ['server/src/app.ts', `import { lease } from './platform/work/lease.ts'`],
      ['server/src/domain/trade/orders/work.ts', `import { lease } from '../../platform/work/lease.ts'`],
      ['docs/a.md', `https://shop.example${slash}home/garden and ~${slash}work/x`],
    ],
  },
  'environment-in-config': {
    found: [
      ['server/src/surfaces/http/a.ts', 'const port = process.env.PORT'],
      ['server/src/surfaces/http/a.ts', `const port = process['env'].PORT`],
      ['server/src/surfaces/http/a.ts', 'const port = globalThis.process.env.PORT'],
      ['server/src/surfaces/http/a.ts', 'const { env } = process'],
      ['server/src/main.ts', `import { env as e } from 'node:process'`],
    ],
    lawful: [
      ['server/src/platform/config.ts', 'const port = process.env.PORT'],
      ['server/src/platform/config/read.ts', 'const port = process.env.PORT'],
      ['server/src/surfaces/http/a.test.ts', 'const port = process.env.PORT'],
      ['server/src/surfaces/http/a.ts', '// process.env is read elsewhere\nconst env = config.process'],
    ],
  },
  'time-and-chance-come-in': {
    found: [
      ['server/src/domain/trade/orders/a.ts', 'const at = Date.now()'],
      ['server/src/domain/trade/orders/a.ts', 'const at = new Date()'],
      ['server/src/domain/trade/orders/a.ts', 'const at = Date()'],
      ['server/src/core/a.ts', 'const clock = Date.now'],
      ['server/src/core/a.ts', 'const { random } = Math'],
      ['server/src/core/a.ts', 'const at = globalThis.Math.random()'],
    ],
    lawful: [
      ['server/src/domain/trade/orders/a.ts', 'const at = new Date(ctx.now)'],
      ['server/src/core/a.ts', '// not Math.random()\nconst largest = Math.max(1, 2)'],
      ['server/src/core/a.test.ts', 'const at = Date.now()'],
      ['server/src/platform/clock.ts', 'const at = Date.now()'],
    ],
  },
  'no-console': {
    found: [
      ['server/src/platform/relay.ts', `console.log('here')`],
      ['server/src/domain/trade/orders/a.ts', `console['error']('here')`],
    ],
    lawful: [
      ['server/src/main.ts', `console.log('listening')`],
      ['server/src/cli/commands/keys.ts', `console.log('key')`],
      ['server/src/platform/relay.ts', `const note = 'console.log'`],
    ],
  },
  'sql-has-a-place': {
    found: [
      ['server/src/domain/trade/orders/a.ts', `const q = 'select id from orders'`],
      ['server/src/domain/trade/orders/a.ts', 'const q = `SELECT id FROM orders WHERE id = $1`'],
      ['server/src/domain/trade/orders/a.ts', 'const q = `\n  insert into orders (id) values ($1)`'],
      ['server/src/surfaces/http/a.ts', 'const q = `update ${table} set state = $1`'],
      ['server/src/surfaces/http/a.ts', `const q = "delete from orders"`],
      ['server/src/app.ts', 'const q = `-- why\n with moved as (select 1) select * from moved`'],
      ['server/src/app.ts', 'const q = sql`anything`'],
      ['server/src/app.ts', `const q = db.selectFrom('orders')`],
      ['server/src/cli/a.ts', `const q = 'create table a (id text)'`],
      ['server/src/cli/a.ts', `const q = 'select pg_advisory_lock(1)'`],
      [
        'server/src/cli/a.ts',
        `const what = 'select id'\nconst q = what + ' from orders'\nrun(\`\${what} from orders\`)`,
      ],
    ],
    lawful: [
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        'const q = `select id from orders where account_id = $1 and mode = $2`',
      ],
      ['server/src/platform/relay.ts', `const q = 'select id from orders'`],
      ['server/src/domain/trade/orders/a.test.ts', `const q = 'select id from orders'`],
      ['server/src/surfaces/http/a.ts', `const summary = 'Select one from the list'`],
      ['server/src/surfaces/http/a.ts', `const summary = 'Update policies set by the account'`],
      ['server/src/surfaces/http/a.ts', `const summary = 'with care (as always)'`],
    ],
  },
  'statement-names-tenant': {
    found: [
      ['server/src/domain/trade/orders/orders.sql.ts', 'const q = `select id from orders where id = $1`'],
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        'const q = `select id from orders where account_id = $1`',
      ],
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        'const q = `select id from orders where id = $account_id and x = $mode`',
      ],
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        'const q = `select id from orders -- account_id, mode\n where id = $1`',
      ],
      ['server/src/domain/trade/orders/orders.sql.ts', 'const q = `/* tenantless: */ select id from orders`'],
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        'const q = sql`select o.id from orders o join ${customers} c on c.id = o.id`',
      ],
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        'const cols = `id`\nconst q = `select ${cols} from orders where mode = $1`',
      ],
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        `function list(db) { return db.selectFrom('orders').where('mode', '=', 1) }`,
      ],
    ],
    lawful: [
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        'const q = `select id from orders o where o.account_id = $1 and o.mode = $2`',
      ],
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        'const q = `select id from orders where merchant_account_id = $1 and mode = $2`',
      ],
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        'const q = `/* tenantless: claim scan, returns the tenant */ select id from orders`',
      ],
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        'const own = `account_id = $1 and mode = $2`\nconst all = `select id from orders`\nconst q = `${all} where ${own}`',
      ],
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        `function list(db) { return db.selectFrom('orders').where('account_id', '=', a).where('mode', '=', m) }`,
      ],
      ['server/src/platform/doors.sql.ts', 'const q = `select account_id from doors where hash = $1`'],
      [
        'server/src/domain/trade/orders/orders.sql.ts',
        'const q = sql`select o.id from ${ordersOf} o where o.id = $id`',
      ],
    ],
  },
  'table-has-one-owner': {
    found: [
      ['server/migrations/9999_planted.sql', 'create table planted (id text)'],
      ['server/migrations/9999_planted.sql', 'create or replace view planted as select 1'],
      ['server/migrations/9999_planted.sql', 'alter table orders rename to planted'],
      [
        'server/src/domain/trade/orders/slice.ts',
        `const orders = defineSlice({ tables: ['orders', 'quotes'] })`,
      ],
      [
        'server/src/domain/trade/orders/slice.ts',
        `const orders = defineSlice({ tables: ['orders', 'planted'] })`,
      ],
      ['server/src/platform/work/tables.ts', `export const tables = ['events'] as const`],
    ],
    lawful: [
      ['server/migrations/9999_planted.sql', 'create table orders (id text)'],
      [
        'server/migrations/9999_planted.sql',
        '-- create table planted\nalter table orders add column at date',
      ],
      [
        'server/src/domain/trade/orders/slice.ts',
        `const orders = defineSlice({ tables: ['orders', 'order_refunds'] })`,
      ],
    ],
  },
  'statements-and-rows-stay-inside': {
    found: [
      `export { selectOrder } from './orders.sql.ts'`,
      `export { selectOrder as readOrder } from './orders.sql.ts'`,
      `export type { Filter } from './orders.sql.ts'`,
      `export * from './orders.sql.ts'`,
      `export type { PlantedRow } from './order.ts'`,
      `export { type PlantedRow as Planted, other } from './order.ts'`,
    ].map((text): [string, string] => ['server/src/domain/selling/planted/public.ts', text]),
    lawful: [
      ['server/src/domain/selling/planted/public.ts', `export { readOrder, type Order } from './order.ts'`],
      ['server/src/domain/selling/planted/public.ts', `export { Rows } from './read-rows.ts'`],
      ['server/src/domain/selling/planted/order.ts', `export type PlantedRow = string`],
    ],
  },
  'slices-name-what-is-theirs': {
    found: [
      `type Caller = { profileId: Id<'prof'> }`,
      `type Part = Id<'cart' | 'ord'>`,
      `const order = ctx.newId('ord')`,
      `const schema = IdOf('ord', 'The order.')`,
      `const example = 'dest_01jb2w9m4ye6xs3kq8t7v5c0zd'`,
      `const full = ['profiles:read']`,
      'const said = `It needs the scope profiles:read.`',
      `throw new Problem('order_not_awaiting')`,
      `const refusals = { 'frozen': 409 }`,
      `const followed = ['order.confirmed']`,
      'const about = `${mode}: order.confirmed.`',
      `const operation = { tag: 'Profiles' }`,
      `const last = 'Merchant orders'`,
      `const counted = 'order_refunds'`,
    ].flatMap((text): [string, string][] => [
      ['server/src/contract/planted.ts', text],
      ['server/src/platform/calls/planted.ts', text],
      ['server/src/core/planted.ts', text],
    ]),
    lawful: [
      ['server/src/domain/trade/orders/planted.ts', `throw new Problem('order_not_awaiting')`],
      ['server/src/surfaces/v1/planted.ts', `const signer = ['merchant_orders:respond']`],
      ['server/src/contract/planted.test.ts', `const order = newId('ord')`],
      ['server/src/contract/planted.ts', `throw new Problem('not_found')`],
      ['server/src/contract/planted.ts', `type Owner = Id<'acct'>`],
      ['server/src/contract/planted.ts', `const event = newId('evt')`],
      ['server/src/contract/planted.ts', `const told = 'destination.tests and order.confirmed_by'`],
      ['server/src/contract/planted.ts', `type Reason = 'gap' | 'ord'`],
      ['server/src/contract/planted.ts', `const word = 'Profiles'\nconst side = kind === 'cart'`],
      [
        'server/src/platform/calls/planted.ts',
        '// order.confirmed is followed elsewhere\nconst frozen = true',
      ],
    ],
  },
  'sql-names-own-tables': {
    found: [
      'const q = `select 1 from quotes where account_id = $account_id and mode = $mode`',
      'const q = `select 1 from orders o join quotes q on q.id = o.quote_id /* tenantless: a test */`',
      'const q = `select 1 from orders o, only quotes q /* tenantless: a test */`',
      'const q = `select (select a from quotes limit 1) /* tenantless: a test */`',
      'const q = `update quotes set mode = $mode where account_id = $account_id`',
      'const q = `insert into quotes (account_id, mode) values ($account_id, $mode)`',
      'const q = `delete from quotes where account_id = $account_id and mode = $mode`',
      'const q = `delete from orders o using quotes q /* tenantless: a test */`',
      'const q = `WITH gone AS (DELETE FROM QUOTES RETURNING 1) SELECT 1 FROM gone /* tenantless: a test */`',
      'const q = `select 1 from card_vault.records where account_id = $account_id and mode = $mode`',
      'const ofQuotes = `from quotes q`\nconst q = `select 1 ${ofQuotes} /* tenantless: a test */`',
      `const claim = claimStatement('quotes')`,
      `const quotes = aggregate<QuoteRow>()({ table: 'quotes', columns: 'id', key: ['id'] })`,
      'const q = `select 1 from events where account_id = $account_id and mode = $mode`',
    ]
      .map((text): [string, string] => ['server/src/domain/trade/orders/planted.sql.ts', text])
      .concat([
        ['server/src/domain/trade/orders/slice.ts', `export const q = { kind: 'a', table: 'quotes' }`],
        ['server/src/platform/calls/planted.ts', 'const q = `select 1 from orders`'],
        ['server/src/surfaces/v1/planted.sql.ts', 'const q = `select 1 from orders`'],
        ['server/src/planted.ts', 'const q = `select 1 from orders`'],
      ]),
    lawful: [
      'const q = `select 1 from orders join order_refunds r using (account_id, mode, order_id)`',
      'const q = `select 1 from quotes_of_yesterday where account_id = $account_id and mode = $mode`',
      'const q = `with quotes (id) as materialized (select id from orders where account_id = $1 and mode = $2) select * from quotes`',
      "const q = `select 1 from orders where account_id = $1 and mode = $2 -- from quotes\n and note = 'from quotes'`",
      'const q = `select quotes, o.events from orders o where account_id = $1 and mode = $2 for update of o`',
      'const q = `insert into orders (account_id, mode) values (1, 2) on conflict (id) do update set quotes = 1`',
      `const rows = aggregate<OrderRow>()({ table: 'orders', columns: 'id, quotes', key: ['id'], fixed: ['quotes'] })`,
      `type Kind = 'quotes'`,
    ]
      .map((text): [string, string] => ['server/src/domain/trade/orders/planted.sql.ts', text])
      .concat([
        ['server/src/domain/trade/orders/invariants.sql.ts', 'const q = `select 1 from quotes`'],
        ['server/src/cli/operator/planted.sql.ts', 'const q = `select 1 from quotes`'],
        ['server/src/domain/trade/orders/planted.ts', `const kind = 'quotes'`],
        ['server/src/platform/audit/planted.sql.ts', 'const q = `select 1 from events`'],
        ['server/test/planted.ts', 'const q = `select 1 from events`'],
      ]),
  },
}

for (const { name } of rules) {
  test(`${name} finds every planted violation`, () => {
    const planted = cases[name]?.found ?? []
    expect(planted.length, 'violations planted for the rule').toBeGreaterThan(0)
    const missed = planted.filter(
      ([path, text]) => !tidyFile(sourceFile(path, text)).some(({ rule }) => rule === name),
    )
    expect(missed).toEqual([])
  })

  test(`${name} leaves its lawful neighbours alone`, () => {
    const blamed = (cases[name]?.lawful ?? []).flatMap(([path, text]) => tidyFile(sourceFile(path, text)))
    expect(blamed.filter(({ rule }) => rule === name)).toEqual([])
  })
}

test('a finding names the line', () => {
  expect(tidyFile(sourceFile('server/src/core/a.ts', '\n\nconst at = Date.now()\n'))).toMatchObject([
    { line: 3 },
  ])
})

test('the ratchet lets a long file shrink but not grow, and asks for its own removal once the file fits', () => {
  expect(sizeFindings('a.ts', 'x\n'.repeat(450), 450)).toEqual([])
  expect(sizeFindings('a.ts', 'x\n'.repeat(451), 450)).toHaveLength(1)
  expect(sizeFindings('a.ts', 'x\n'.repeat(300), 450)).toMatchObject([
    { what: expect.stringContaining('remove') },
  ])
})
