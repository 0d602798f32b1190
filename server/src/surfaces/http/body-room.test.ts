import { expect, test } from 'vitest'
import { type BodyHolder, createBodyRoom } from './body-room.ts'

const account = (name: string): BodyHolder => ({ kind: 'account', name })
const address = (name: string): BodyHolder => ({ kind: 'address', name })

test('one account holds a quarter, and four fill the room', () => {
  const room = createBodyRoom(1600)
  expect(room.take(account('a'), 400)).toBe(true)
  expect(room.take(account('a'), 1)).toBe(false)
  for (const name of ['b', 'c', 'd']) expect(room.take(account(name), 400)).toBe(true)
  expect(room.take(account('e'), 1)).toBe(false)
  expect(room.held).toBe(1600)
})

test('callers without a key hold a quarter, one address a sixteenth', () => {
  const room = createBodyRoom(16_384)
  expect(room.take(address('1.1.1.1'), 1024)).toBe(true)
  expect(room.take(address('1.1.1.1'), 1)).toBe(false)
  for (const name of ['2', '3', '4']) expect(room.take(address(name), 1024)).toBe(true)
  expect(room.take(address('5'), 17)).toBe(false)
  expect(room.take(account('a'), 4096)).toBe(true)
})

test('where a few addresses hold all that callers without a key have, every other one still has room for a body', () => {
  const room = createBodyRoom(16_384)
  for (const name of ['1', '2', '3', '4']) expect(room.take(address(name), 1024)).toBe(true)
  expect(room.take(address('1'), 1)).toBe(false)
  const honest = Array.from({ length: 256 }, (_, number) => address(`honest ${number}`))
  for (const one of honest) expect(room.take(one, 16)).toBe(true)
  expect(room.take(address('one more'), 1)).toBe(false)
  // Half of the room is for those with keys alone.
  for (const name of ['a', 'b']) expect(room.take(account(name), 4096)).toBe(true)
})

test('released room is there again', () => {
  const room = createBodyRoom(1600)
  expect(room.take(address('1'), 100)).toBe(true)
  room.release(address('1'), 100)
  expect(room.held).toBe(0)
  expect(room.take(address('1'), 100)).toBe(true)
})
