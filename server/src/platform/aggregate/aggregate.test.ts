import { expect, test } from 'vitest'
import { aggregate } from './aggregate.ts'

type Boat = { id: string; name: string; crew: string[] | null; seq: number; created_at: Date }

const boats = aggregate<Boat>()({
  table: 'boats',
  columns: `id, name, crew,
    seq, created_at`,
  key: ['id'],
  json: ['crew'],
})
const at = new Date(0)
const boat = {
  account_id: 'acct_1',
  mode: 'test',
  id: 'boat_1',
  name: 'Ida',
  crew: ['Ann'],
  seq: 1,
  created_at: at,
} as const

test('a row is found and held by its tenant and its key', () => {
  const key = { account_id: 'acct_1', mode: 'test', id: 'boat_1' } as const
  expect(boats.select('select_boat')(key)).toMatchObject({
    name: 'select_boat',
    text: 'select id, name, crew, seq, created_at from boats where account_id = $1 and mode = $2 and id = $3',
    values: ['acct_1', 'test', 'boat_1'],
  })
  expect(boats.lock('lock_boat', 'for no key update')(key).text).toBe(
    'select id, name, crew, seq, created_at from boats where account_id = $1 and mode = $2 and id = $3 for no key update',
  )
})

test('an insert writes every column, and JSON as text', () => {
  expect(boats.insert('insert_boat')({ ...boat, crew: ['Ann', 'Bo'] })).toMatchObject({
    name: 'insert_boat',
    text: 'insert into boats (account_id, mode, id, name, crew, seq, created_at) values ($1, $2, $3, $4, $5, $6, $7)',
    values: ['acct_1', 'test', 'boat_1', 'Ida', '["Ann","Bo"]', 1, at],
  })
})

test('a column of JSON that holds nothing is null', () => {
  expect(boats.insert('insert_boat')({ ...boat, crew: null }).values).toContain(null)
})

test('an update leaves alone whose the row is, its key, its time and what is fixed', () => {
  const fixed = aggregate<Boat>()({
    table: 'boats',
    columns: 'id, name, crew, seq, created_at',
    key: ['id'],
    json: ['crew'],
    fixed: ['name'],
  })
  expect(fixed.update('update_boat')({ ...boat, crew: [] })).toMatchObject({
    name: 'update_boat',
    text: 'update boats set crew = $1, seq = $2 where account_id = $3 and mode = $4 and id = $5',
    values: ['[]', 1, 'acct_1', 'test', 'boat_1'],
  })
})

test('an update of some columns takes no others, and can end a lease', () => {
  const rename = boats.update('rename_boat', { only: ['name'], endsLease: true })
  expect(rename({ account_id: 'acct_1', mode: 'test', id: 'boat_1', name: 'Eva' })).toMatchObject({
    name: 'rename_boat',
    text: 'update boats set name = $1, lease_until = null where account_id = $2 and mode = $3 and id = $4',
    values: ['Eva', 'acct_1', 'test', 'boat_1'],
  })
  // @ts-expect-error: it is written, and not given
  rename({ account_id: 'acct_1', mode: 'test', id: 'boat_1' })
})

test('a change writes the columns that differ, and each set of columns has a statement of its own', () => {
  const earlier = { ...boat, crew: [...boat.crew] }
  const later = { ...earlier, crew: ['Ann', 'Bo'], seq: 2 }
  expect(boats.differences(earlier, later)).toEqual(new Set(['crew', 'seq']))
  const change = boats.change('change_boat')
  const both = change(later, new Set(['crew', 'seq']))
  expect(both).toMatchObject({
    text: 'update boats set crew = $1, seq = $2 where account_id = $3 and mode = $4 and id = $5',
    values: ['["Ann","Bo"]', 2, 'acct_1', 'test', 'boat_1'],
  })
  const counted = change(later, new Set(['seq']))
  expect(counted.text).toBe('update boats set seq = $1 where account_id = $2 and mode = $3 and id = $4')
  expect(counted.name).not.toBe(both.name)
  const { name, text, values } = both
  expect(boats.change('change_boat')(later, new Set(['seq', 'crew']))).toMatchObject({ name, text, values })
})

test('what is fixed is never among what differs, nor written by a change', () => {
  const earlier = { ...boat, crew: null }
  const renamed = { ...earlier, id: 'boat_2', created_at: new Date(1) }
  expect(boats.differences(earlier, renamed)).toEqual(new Set())
  const change = boats.change('change_boat')(renamed, new Set(['id', 'created_at', 'name']))
  expect(change.text).toBe('update boats set name = $1 where account_id = $2 and mode = $3 and id = $4')
})

test('a table that has one row of a tenant is found by the tenant alone', () => {
  const harbors = aggregate<{ account_id: string; mode: string; name: string }>()({
    table: 'harbors',
    columns: 'account_id, mode, name',
    key: [],
  })
  expect(harbors.update('update_harbor')({ account_id: 'acct_1', mode: 'test', name: 'North' }).text).toBe(
    'update harbors set name = $1 where account_id = $2 and mode = $3',
  )
  expect(
    harbors.insert(
      'insert_harbor',
      'on conflict do nothing',
    )({ account_id: 'acct_1', mode: 'test', name: 'North' }).text,
  ).toBe('insert into harbors (account_id, mode, name) values ($1, $2, $3) on conflict do nothing')
})

test('a list that leaves a column out, or names one that no row has, does not compile', () => {
  const declare = aggregate<Boat>()
  // @ts-expect-error: no crew
  declare({ table: 'boats', columns: 'id, name, seq, created_at', key: ['id'] })
  // @ts-expect-error: a row has no length
  declare({ table: 'boats', columns: 'id, name, crew, length, seq, created_at', key: ['id'] })
  expect(boats.columnsOf('b')).toBe('b.id, b.name, b.crew, b.seq, b.created_at')
})
