import { expect, test } from 'vitest'
import { statement } from '../../contract/statement.ts'
import { combineReads, part } from './combine-reads.ts'

const people = statement<{ id: string; born: Date | null }, { account_id: string; id: string }>(
  'people',
  'select id, born from people where account_id = $account_id and id = $id',
)
const rooms = statement<{ size: number }, { account_id: string; least: number }>(
  'rooms',
  'select size from rooms where account_id = $account_id and size >= $least',
)
const both = combineReads('both', { people: part(people, ['born']), rooms: part(rooms, []) })

test('parameters of one name are one value, whichever parts name it', () => {
  const { name, text, values } = both({ account_id: 'acct_1', id: 'p1', least: 3 })
  expect(name).toBe('both')
  expect(values).toEqual(['acct_1', 'p1', 3])
  expect(text).toContain('where account_id = $1 and id = $2')
  expect(text).toContain('where account_id = $1 and size >= $3')
})

test('each part gets its own rows, in their order, with times as dates', () => {
  const read = both.read([
    { part: 1, row: { size: 5 } },
    { part: 0, row: { id: 'p1', born: '2026-01-02T03:04:05.678+00:00' } },
    { part: 1, row: { size: 4 } },
    { part: 0, row: { id: 'p2', born: null } },
  ])
  expect(read.people).toEqual([
    { id: 'p1', born: new Date('2026-01-02T03:04:05.678Z') },
    { id: 'p2', born: null },
  ])
  expect(read.rooms).toEqual([{ size: 5 }, { size: 4 }])
})

test('a part without rows is an empty list', () => {
  expect(both.read([])).toEqual({ people: [], rooms: [] })
})

test('a column whose digits JSON would lose travels as text, or is refused: by the types, and as a number', () => {
  const money = statement<{ amount: bigint | null }, { id: string }>(
    'money',
    'select amount::text as amount from money where id = $id',
  )
  // @ts-expect-error bigint columns cannot travel as JSON numbers
  expect(part(money, []).declared).toBe(money)
  const all = combineReads('all_money', { money: part(money, [], ['amount']) })
  const rows = (amount: unknown) => all.read([{ part: 0, row: { amount } }]).money
  expect(rows('9007199254740993')).toEqual([{ amount: 9007199254740993n }])
  expect(rows(null)).toEqual([{ amount: null }])
  expect(() => rows(1)).toThrow('as text')
})
