import { expect, test } from 'vitest'
import { aside, statement } from '../../contract/statement.ts'
import { fuseNeighbours } from './fuse.ts'

type Params = { id: string; value: number }
const put = (table: string) =>
  statement<never, Params>(`put_${table}`, `insert into ${table} (id, value) values ($id, $value)`)
const change = (table: string) =>
  statement<never, Params>(`change_${table}`, `update ${table} set value = $value where id = $id`)

test('neighbours that write different tables become one statement, with every value in its place', () => {
  const [only, ...others] = fuseNeighbours([
    change('rooms')({ id: 'r', value: 1 }),
    put('people')({ id: 'p', value: 2 }),
    put('events')({ id: 'e', value: 3 }),
  ])
  expect(others).toEqual([])
  expect(only?.text).toBe(
    'with w0 as (update rooms set value = $1 where id = $2), w1 as (insert into people (id, value) values ($3, $4)) ' +
      'insert into events (id, value) values ($5, $6)',
  )
  expect(only?.values).toEqual([1, 'r', 'p', 2, 'e', 3])
})

test('a table is written once in a statement: a second write of a row would be lost silently', () => {
  const fused = fuseNeighbours([
    change('rooms')({ id: 'r', value: 1 }),
    put('people')({ id: 'p', value: 2 }),
    change('rooms')({ id: 'r', value: 3 }),
    put('events')({ id: 'e', value: 4 }),
  ])
  expect(fused.map(({ values }) => values)).toEqual([
    [1, 'r', 'p', 2],
    [3, 'r', 'e', 4],
  ])
})

test.each([
  ['reads a table', 'update rooms set value = (select max(value) from people) where id = $id and $value > 0'],
  ['joins one', 'update rooms r set value = $value from people p where p.id = r.id and r.id = $id'],
  ['answers', 'update rooms set value = $value where id = $id returning value'],
  ['deletes', 'delete from rooms where id = $id and value = $value'],
])('a write that %s stays by itself, and in its place', (about, text) => {
  const special = statement<never, Params>(`special ${about}`, text)({ id: 's', value: 9 })
  const fused = fuseNeighbours([
    put('people')({ id: 'p', value: 1 }),
    special,
    put('events')({ id: 'e', value: 2 }),
    put('notes')({ id: 'n', value: 3 }),
  ])
  expect(fused.map(({ values }) => values)).toEqual([['p', 1], special.values, ['e', 2, 'n', 3]])
})

test('writes go before one that concerns none of their tables, and none goes before one that may', () => {
  const text = 'with w as (delete from rooms returning id) update halls set value = $value where id = $id'
  const special = statement<never, Params>('special of its own tables', text)({ id: 's', value: 9 })
  const around = (write: typeof special) =>
    fuseNeighbours([put('people')({ id: 'p', value: 1 }), write, put('events')({ id: 'e', value: 2 })])
  expect(around(aside(special)).map(({ values }) => values)).toEqual([
    ['p', 1, 'e', 2],
    [9, 's'],
  ])
  expect(around(special)).toHaveLength(3)
})

test('a statement without a name is never part of another: its text may be another one each time', () => {
  const unnamed = { name: '', text: 'update rooms set value = 1', values: [] }
  expect(fuseNeighbours([unnamed, put('people')({ id: 'p', value: 1 })])).toHaveLength(2)
})
