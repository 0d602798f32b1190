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

test('callers without a key never hold more than a quarter, one address a sixteenth', () => {
  const room = createBodyRoom(1600)
  expect(room.take(address('1.1.1.1'), 100)).toBe(true)
  expect(room.take(address('1.1.1.1'), 1)).toBe(false)
  for (const name of ['2', '3', '4']) expect(room.take(address(name), 100)).toBe(true)
  expect(room.take(address('5'), 1)).toBe(false)
  expect(room.take(account('a'), 400)).toBe(true)
})

test('released room is there again', () => {
  const room = createBodyRoom(1600)
  expect(room.take(address('1'), 100)).toBe(true)
  room.release(address('1'), 100)
  expect(room.held).toBe(0)
  expect(room.take(address('1'), 100)).toBe(true)
})
