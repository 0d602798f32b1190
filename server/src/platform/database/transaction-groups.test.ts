import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { recordPools, type Sent } from '../../../test/harness/recorded-pools.ts'
import { type Statement, statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { aggregate, type Tenanted } from '../aggregate/aggregate.ts'
import { GoesAnotherWay } from './errors.ts'
import { forMany } from './for-many.ts'
import { openPools, type Pools } from './pool.ts'
import { TransactionGroups } from './transaction-groups.ts'

let database: TestDatabase
let pools: Pools
let recorder: ReturnType<typeof recordPools>
/** Nothing runs alone at once: what comes at the same time is one group. */
let groups: TransactionGroups

beforeAll(async () => {
  database = await createTestDatabase()
  pools = openPools({
    url: database.url,
    writers: 6,
    readers: 1,
    applicationName: 'test',
    onError: () => undefined,
  })
  await send(`create table pots (account_id text collate "C", mode mode, id text collate "C", amount bigint not null check (amount >= 0),
    notes jsonb, mark bytea, marked_at timestamptz, created_at timestamptz, primary key (account_id, mode, id))`)
  await send('create table shared_counters (id text primary key, used int not null)')
  recorder = recordPools(pools)
  groups = new TransactionGroups(recorder.pools, { membersMax: 16, runningMax: 0 })
})
afterEach(() => send('truncate pots, shared_counters'))
afterAll(async () => {
  await pools.close()
  await database.drop()
})

type Pot = {
  id: string
  amount: bigint
  notes: { text: string | null } | null
  mark: Buffer | null
  marked_at: Date | null
  created_at: Date
}

const pots = aggregate<Pot>()({
  table: 'pots',
  columns: 'id, amount, notes, mark, marked_at, created_at',
  key: ['id'],
  json: ['notes'],
})
const insertPot = pots.insert('insert_pot')
const changePot = pots.change('change_pot')
const lockPot = forMany<Pot, Tenanted & { id: string }>('lock_pot', pots.lock('lock_pot', 'for update'))
const lockCounter = statement<{ used: number }, { id: string }>(
  'lock_counter',
  'select used from shared_counters where id = $id for no key update /* tenantless: a test */',
)
const readCounter = statement<{ used: number }, { id: string }>(
  'read_counter',
  'select used from shared_counters where id = $id /* tenantless: a test */',
)
const setCounter = statement<never, { id: string; used: number }>(
  'set_counter',
  'update shared_counters set used = $used where id = $id /* tenantless: a test */',
)

const failQuietly = statement<never, Record<never, never>>(
  'fail_quietly',
  'select 1 / 0 /* tenantless: a test */',
)

const tenant = { account_id: 'acct_1' as Id<'acct'>, mode: 'test' as const }
const keyOf = (id: string) => ({ ...tenant, id })
const at = new Date('2026-03-01T10:00:00.123Z')
const pot = (id: string): Pot => ({
  id,
  amount: 9_007_199_254_740_993n,
  notes: { text: `"${id}" says \\ and {it}` },
  mark: Buffer.from([0, 1, 255]),
  marked_at: null,
  created_at: at,
})

async function send(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const { rows } = await pools.single<Record<string, unknown>>({ name: '', text, values })
  return rows
}

async function givenPots(...ids: string[]): Promise<void> {
  for (const id of ids) await pools.single(insertPot({ ...pot(id), ...tenant }))
}

const amounts = async () =>
  (await send('select id, amount from pots order by id')).map(({ id, amount }) => [id, amount])

/** Does this in a transaction of each root, all at the same time; answers what each failed with. */
async function inEach(
  roots: readonly string[],
  work: (transaction: ReturnType<TransactionGroups['open']>, root: string) => Promise<void>,
): Promise<unknown[]> {
  return await Promise.all(
    roots.map(async (root) => {
      const transaction = groups.open(root)
      try {
        await work(transaction, root)
        await transaction.commit([])
        return null
      } catch (error) {
        await transaction.rollback()
        return error
      }
    }),
  )
}

async function recorded(
  work: () => Promise<unknown>,
  look: (statement: Statement<unknown>) => void = () => undefined,
): Promise<string[]> {
  const sent: Sent[] = await recorder.record(async () => void (await work()))
  for (const one of sent) look(one.statement)
  return sent.map(({ statement: { name } }) => name)
}

async function lockAndTake(
  transaction: ReturnType<TransactionGroups['open']>,
  id: string,
  changes: Partial<Pot> = { amount: 1n },
): Promise<void> {
  const [row] = await transaction.rows(lockPot(keyOf(id)))
  if (!row) throw new Error(`there is no ${id}`)
  transaction.write(changePot({ ...row, ...changes, ...tenant }, new Set(Object.keys(changes))))
}

test('transactions that come together lock, write and commit by as many statements as one', async () => {
  await givenPots('a', 'b', 'c')
  let asked: { id: string }[] = []
  const names = await recorded(
    () => inEach(['c', 'a', 'b'], (transaction, root) => lockAndTake(transaction, root)),
    ({ name, values }) => {
      if (name === 'lock_pot_for_many') asked = JSON.parse(String(values[0]))
    },
  )
  expect(names).toEqual([
    'tx_begin',
    'tx_begin_group',
    'lock_pot_for_many',
    expect.stringMatching(/^change_pot_.*_for_many$/),
    'tx_commit',
  ])
  // Everybody locks in this order.
  expect(asked.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(await amounts()).toEqual([
    ['a', 1n],
    ['b', 1n],
    ['c', 1n],
  ])
})

test('each gets its own rows, as it would alone, and what is written is what was given', async () => {
  await givenPots('a', 'b')
  const seen = new Map<string, Pot[]>()
  const failures = await inEach(['a', 'b', 'none'], async (transaction, root) => {
    seen.set(root, await transaction.rows(lockPot(keyOf(root))))
    if (root === 'none') transaction.write(insertPot({ ...pot('new'), notes: null, mark: null, ...tenant }))
    else transaction.write(insertPot({ ...pot(`${root}2`), marked_at: at, ...tenant }))
  })
  expect(failures).toEqual([null, null, null])
  expect(Object.fromEntries(seen)).toEqual({ a: [pot('a')], b: [pot('b')], none: [] })
  const stored = await send('select id, amount, notes, mark, marked_at, created_at from pots order by id')
  expect(stored).toEqual([
    pot('a'),
    { ...pot('a2'), marked_at: at },
    pot('b'),
    { ...pot('b2'), marked_at: at },
    { ...pot('new'), notes: null, mark: null },
  ])
})

test('a change of one column leaves the others as they are', async () => {
  await givenPots('a', 'b')
  await inEach(['a', 'b'], (transaction, root) => lockAndTake(transaction, root, { notes: { text: root } }))
  expect(await send('select id, amount, notes, mark from pots order by id')).toEqual(
    ['a', 'b'].map((id) => ({ id, amount: pot(id).amount, notes: { text: id }, mark: pot(id).mark })),
  )
})

test('two transactions of one root are never in one group', async () => {
  await givenPots('a', 'b')
  const add = async (transaction: ReturnType<TransactionGroups['open']>, root: string) => {
    const [row] = await transaction.rows(lockPot(keyOf(root)))
    if (row) transaction.write(changePot({ ...row, amount: row.amount + 1n, ...tenant }, new Set(['amount'])))
  }
  expect(await inEach(['a', 'b', 'a', 'b', 'a'], add)).toEqual([null, null, null, null, null])
  const begin = pot('a').amount
  expect(await amounts()).toEqual([
    ['a', begin + 3n],
    ['b', begin + 2n],
  ])
})

test.each([
  ['read by the lock', 'locked'],
  ['read behind a queued lock', 'queued'],
  ['read beside the lock', 'beside'],
])(
  'a row that belongs to no root and is %s is locked by one after the other, and each sees what the one before it wrote',
  async (_, how) => {
    await givenPots('a', 'b', 'c', 'd')
    await send(`insert into shared_counters values ('one', 0), ('two', 0)`)
    const use = async (transaction: ReturnType<TransactionGroups['open']>, root: string) => {
      await lockAndTake(transaction, root)
      // Not all of them, and not in the same order.
      const counters = { a: ['one'], b: ['one', 'two'], c: ['two'], d: [] }[root] ?? []
      for (const id of counters) {
        if (how === 'queued') transaction.write(lockCounter({ id }))
        const locked = how === 'queued' ? [] : [transaction.rows(lockCounter({ id }))]
        const read = how === 'locked' ? [] : [transaction.rows(readCounter({ id }))]
        const [counter] = (await Promise.all([...locked, ...read])).at(-1) ?? []
        transaction.write(setCounter({ id, used: (counter?.used ?? 0) + 1 }))
      }
    }
    const names = await recorded(async () =>
      expect(await inEach(['a', 'b', 'c', 'd'], use)).toEqual([null, null, null, null]),
    )
    expect(names.filter((name) => name === 'tx_commit')).toHaveLength(1)
    expect(await send('select id, used from shared_counters order by id')).toEqual([
      { id: 'one', used: 2 },
      { id: 'two', used: 2 },
    ])
  },
)

test('one that refuses before it has written anything leaves, and the others go on', async () => {
  await givenPots('a', 'b', 'c')
  const names = await recorded(async () => {
    const failures = await inEach(['a', 'b', 'c'], async (transaction, root) => {
      await lockAndTake(transaction, root)
      if (root === 'b') throw new Error('refused')
    })
    expect(failures).toEqual([null, new Error('refused'), null])
  })
  expect(names.filter((name) => name === 'tx_commit')).toHaveLength(1)
  expect((await amounts()).filter(([, amount]) => amount === 1n).map(([id]) => id)).toEqual(['a', 'c'])
})

test.each([
  ['a statement of one fails', (row: Pot) => ({ ...row, amount: -1n }), '23514'],
  ['one leaves after it has written', null, undefined],
])('where %s, nothing of the group happened, and each is told to go another way', async (_, spoil, code) => {
  await givenPots('a', 'b', 'c')
  const before = await amounts()
  const failures = await inEach(['a', 'b', 'c'], async (transaction, root) => {
    await lockAndTake(transaction, root)
    if (root !== 'b') return
    if (spoil) transaction.write(changePot({ ...spoil(pot('b')), ...tenant }, new Set(['amount'])))
    // What is queued goes before a read.
    else await transaction.rows(lockPot(keyOf('b')))
    if (!spoil) throw new Error('refused')
  })
  const others = failures.filter((_, index) => spoil !== null || index !== 1)
  expect(others.every((error) => error instanceof GoesAnotherWay)).toBe(true)
  if (code) expect((others[0] as Error).cause).toMatchObject({ code })
  expect(await amounts()).toEqual(before)
  // Their connection is good, and everybody can go on.
  expect(await inEach(['a', 'b', 'c'], (transaction, root) => lockAndTake(transaction, root))).toEqual([
    null,
    null,
    null,
  ])
})

test('a group does not wait long for a row that somebody holds', async () => {
  await givenPots('a', 'b')
  const holder = await pools.connect()
  const query = (text: string) => holder.query({ name: '', text, values: [] } satisfies Statement<never>)
  await query('begin')
  await query(`select from pots where id = 'b' for update`)
  const failures = await inEach(['a', 'b'], (transaction, root) => lockAndTake(transaction, root))
  await query('rollback')
  holder.release()
  expect(failures.every((error) => error instanceof GoesAnotherWay)).toBe(true)
})

test('rows of the same id in two tenants are changed each for itself', async () => {
  const other = { account_id: 'acct_2' as Id<'acct'>, mode: 'test' as const }
  for (const one of [tenant, other]) await pools.single(insertPot({ ...pot('a'), ...one }))
  await inEach(['1', '2'], async (transaction, root) => {
    const own = root === '1' ? tenant : other
    const [row] = await transaction.rows(lockPot({ ...own, id: 'a' }))
    if (row) transaction.write(changePot({ ...row, amount: BigInt(root), ...own }, new Set(['amount'])))
  })
  expect(await send('select account_id, amount from pots order by account_id')).toEqual([
    { account_id: 'acct_1', amount: 1n },
    { account_id: 'acct_2', amount: 2n },
  ])
})

test('a group whose failure nobody noticed is rolled back, and is not taken for committed', async () => {
  await givenPots('a', 'b')
  const failures = await inEach(['a', 'b'], async (transaction, root) => {
    await lockAndTake(transaction, root)
    if (root === 'a') await transaction.rows(failQuietly({})).catch(() => undefined)
  })
  expect(failures.every((error) => error instanceof GoesAnotherWay)).toBe(true)
  expect((await amounts()).every(([, amount]) => amount === pot('a').amount)).toBe(true)
})

test('where the commit may have happened, nobody is told to do it again', async () => {
  await givenPots('a', 'b')
  const failures = await inEach(['a', 'b'], async (transaction, root) => {
    await lockAndTake(transaction, root)
    if (root === 'b')
      await send(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
      )
  })
  expect(failures).toEqual([expect.any(Error), expect.any(Error)])
  expect(failures.some((error) => error instanceof GoesAnotherWay)).toBe(false)
})

test('groups that lock many roots at once never wait for each other in a circle', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `p${String(index).padStart(2, '0')}`)
  await givenPots(...ids)
  const mixed = [...ids, ...ids.toReversed(), ...ids].map((id, index) => ids[(index * 7) % ids.length] ?? id)
  const failures = await inEach(mixed, (transaction, root) => lockAndTake(transaction, root))
  const codes = failures.flatMap((error) => (error instanceof Error ? [Object(error.cause).code] : []))
  expect(codes.filter((code) => code !== '55P03')).toEqual([])
  // At most a few wait in vain for a lock: those go alone.
  expect(codes.length).toBeLessThan(mixed.length)
})
