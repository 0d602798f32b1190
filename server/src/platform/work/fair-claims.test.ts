import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import { seededRandom } from '../../../test/suites/random.ts'
import type { Mode } from '../../contract/context.ts'
import { claimStatement } from './lease.sql.ts'
import type { Claimed } from './lease.ts'
import { Load, type Running, Turns, tenantKey } from './turns.ts'

let spine: Spine
beforeAll(async () => {
  spine = await startSpine()
  await spine.sql(`create table errands (account_id text collate "C", mode mode, id text, due_at timestamptz, lease_until timestamptz,
    lease_token bigint not null default 0, step_failures int not null default 0, is_due boolean,
    primary key (account_id, mode, id))`)
  await spine.sql(
    `create index on errands (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
     create index on errands (mode, coalesce(due_at, 'infinity')) where not is_due;
     create trigger note_due_of_new before insert on errands for each row execute function note_due_of_new();
     create trigger note_due before update of due_at on errands for each row execute function note_due();`,
  )
})
afterAll(() => spine.close())
beforeEach(() => spine.sql('truncate errands'))

const claimErrands = claimStatement<Claimed>('errands')

type Backlog = { account: string; mode?: Mode; rows: number; dueIn?: number }

async function add({ account, mode = 'test', rows, dueIn = 0 }: Backlog): Promise<void> {
  await spine.sql(
    `insert into errands (account_id, mode, id, due_at)
     select $1, $2::mode, $1 || '_' || $4::float8 || '_' || lpad(n::text, 6, '0'), now() + make_interval(secs => $4) + n * interval '1 microsecond'
     from generate_series(1, $3::int) as n`,
    [account, mode, rows, dueIn],
  )
}

/** The time of those that wait comes, and nobody writes them. */
const letTimePass = (seconds: number) =>
  spine.sql(
    `alter table errands disable trigger note_due; update errands set due_at = due_at - make_interval(secs => ${seconds});
     alter table errands enable trigger note_due`,
  )

async function claim(
  turns: Turns,
  limit: number,
  running: readonly Running[] = [],
): Promise<readonly Claimed[]> {
  const turn = turns.next({ limit, lease_seconds: 3600 }, new Load(limit * 2, running))
  const { rows } = await spine.pools.single(claimErrands(turn))
  turns.had(rows)
  return rows
}

const countOf = (rows: readonly Claimed[], account: string) =>
  rows.filter(({ account_id }) => account_id === account).length

test('with five hundred rows of one tenant, the one row of another is among the next that are claimed', async () => {
  await add({ account: 'acct_a', rows: 500, dueIn: -60 })
  const turns = new Turns()
  expect(countOf(await claim(turns, 20), 'acct_a')).toBe(20)
  await add({ account: 'acct_b', rows: 1 })
  expect(countOf(await claim(turns, 20), 'acct_b')).toBe(1)
})

test('also where places come free one at a time', async () => {
  await add({ account: 'acct_b', rows: 500, dueIn: -60 })
  const turns = new Turns()
  await claim(turns, 1)
  await add({ account: 'acct_a', rows: 3 })
  await add({ account: 'acct_c', rows: 3 })
  await add({ account: 'acct_b', mode: 'live', rows: 3 })
  const claimed: string[] = []
  for (let index = 0; index < 8; index++)
    for (const row of await claim(turns, 1)) claimed.push(tenantKey(row))
  const round = ['live acct_b', 'test acct_c', 'test acct_a', 'test acct_b']
  expect(claimed).toEqual([...round, ...round])
})

test('everybody has a turn before anybody has a second one', async () => {
  await add({ account: 'acct_a', rows: 10 })
  await add({ account: 'acct_b', rows: 10 })
  const rows = await claim(new Turns(), 3)
  expect([countOf(rows, 'acct_a'), countOf(rows, 'acct_b')]).toEqual([2, 1])
})

test('rows that came due by time alone take no more places than their tenant has', async () => {
  await add({ account: 'acct_a', rows: 40, dueIn: 60 })
  await letTimePass(120)
  const turn = new Turns().next({ limit: 5, lease_seconds: 3600 }, new Load(5, []))
  expect((await spine.pools.single(claimErrands(turn))).rows.length).toBe(3)
})

test('of what came due by the time alone nothing is overlooked, and a long line of one tenant is passed by', async () => {
  await add({ account: 'acct_a', rows: 1_000, dueIn: 60 })
  await add({ account: 'acct_b', rows: 1, dueIn: 61 })
  const turns = new Turns()
  expect(await claim(turns, 20)).toEqual([])
  await letTimePass(120)
  let claims = 0
  while (countOf(await claim(turns, 20), 'acct_b') === 0) claims++
  // Two hundred of them are looked at each time.
  expect(claims).toBeLessThanOrEqual(5)
})

test('one tenant alone has two thirds of the places, and a tenant that comes then finds some', async () => {
  await add({ account: 'acct_a', rows: 100, dueIn: -60 })
  const turns = new Turns()
  const load = (free: number, running: readonly Running[]) => new Load(free, running)
  const first = turns.next({ limit: 48, lease_seconds: 3600 }, load(48, []))
  const { rows } = await spine.pools.single(claimErrands(first))
  expect(rows.length).toBe(32)
  await add({ account: 'acct_b', rows: 100 })
  const running = rows.map((row) => ({ row, hasPlace: true }))
  const next = turns.next({ limit: 16, lease_seconds: 3600 }, load(16, running))
  const others = await spine.pools.single(claimErrands(next))
  expect([countOf(others.rows, 'acct_a'), countOf(others.rows, 'acct_b')]).toEqual([0, 10])
})

test.each([1, 2, 3, 4, 5])(
  'over random backlogs no tenant is passed over twice, and no row is claimed twice (%s)',
  async (seed) => {
    const random = seededRandom(seed)
    const below = (most: number) => Math.floor(random() * most)
    const left = new Map<string, number>()
    for (let index = 0; index < 30; index++) {
      const account = `acct_${String(below(20)).padStart(2, '0')}`
      const mode = random() < 0.5 ? 'test' : 'live'
      const rows = 1 + below(random() < 0.2 ? 120 : 6)
      await add({ account, mode, rows, dueIn: -1 - index })
      left.set(`${mode} ${account}`, (left.get(`${mode} ${account}`) ?? 0) + rows)
    }
    const turns = new Turns()
    const seen = new Set<string>()
    const all = left.size
    /** Turns that others have had since a tenant had its last one. */
    const passedBy = new Map([...left.keys()].map((tenant) => [tenant, 0]))
    while (left.size > 0) {
      const rows = await claim(turns, 1 + below(12))
      expect(rows.length).toBeGreaterThan(0)
      const had = new Set(rows.map(tenantKey))
      for (const row of rows) {
        expect(seen.has(row.id + row.mode)).toBe(false)
        seen.add(row.id + row.mode)
        const tenant = tenantKey(row)
        const more = (left.get(tenant) ?? 0) - 1
        if (more > 0) left.set(tenant, more)
        else left.delete(tenant)
      }
      for (const tenant of left.keys()) {
        const passed = had.has(tenant) ? 0 : (passedBy.get(tenant) ?? 0) + new Set(rows.map(tenantKey)).size
        passedBy.set(tenant, passed)
        expect(passed).toBeLessThan(all)
      }
    }
  },
)
