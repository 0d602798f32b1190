import { expect, test } from 'vitest'
import { type Fragment, statement } from '../../contract/statement.ts'
import { correlate, sql } from './fragment.ts'

type Tenanted = { account_id: string; mode: string }

const roomOf: Fragment<{ size: number }, Tenanted & { room_id: string }> =
  sql`select size from rooms where account_id = $account_id and mode = $mode and id = $room_id`
const guests: Fragment<{ id: string; room_id: string }, Tenanted> = sql`select id, room_id from guests
  where account_id = $account_id and mode = $mode`

test('a fragment stands in parentheses, and parameters of one name are one value', () => {
  const listed = statement<{ id: string; size: number }, Tenanted & { room_id: string }>(
    'guests_with_room',
    sql`select g.id, r.size from ${guests} g cross join ${roomOf} r`,
  )
  const { text, values } = listed({ account_id: 'acct_1', mode: 'test', room_id: 'room_1' })
  expect(text).toBe(
    'select g.id, r.size from (select id, room_id from guests\n  where account_id = $1 and mode = $2) g' +
      ' cross join (select size from rooms where account_id = $1 and mode = $2 and id = $3) r',
  )
  expect(values).toEqual(['acct_1', 'test', 'room_1'])
})

test('correlated parameters are columns, expressions in parentheses, or other parameters of the statement around them', () => {
  expect(correlate(roomOf, { room_id: 'g.room_id' }).text).toContain('id = g.room_id')
  expect(correlate(roomOf, { room_id: `g.places ->> 'room'` }).text).toContain(`id = (g.places ->> 'room')`)
  expect(correlate(roomOf, { room_id: '$wanted' }).text).toContain('id = $wanted')
})

test('a column that the fragment would read as its own is refused, one that only a comment names is not', () => {
  const named: Fragment<unknown, Tenanted> = sql`select /* g is no name here */ r.id from rooms r
    where r.account_id = $account_id and r.mode = $mode`
  expect(() => correlate(named, { account_id: 'r.account_id' })).toThrow('r.account_id is hidden')
  expect(correlate(named, { account_id: 'g.account_id' }).text).toContain('r.account_id = g.account_id')
})

test('a statement that does not take what its fragments need is refused by the types', () => {
  // @ts-expect-error room_id is missing
  statement<unknown, Tenanted>('no_room', sql`select * from ${roomOf} r`)
  expect(
    statement<unknown, Tenanted>('room', sql`select * from ${correlate(roomOf, { room_id: 'g.id' })} r`).text,
  ).toContain('g.id')
})
