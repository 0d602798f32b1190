import { expect, test } from 'vitest'
import { OriginSlots } from './origin-slots.ts'

test('a freed slot goes to the request that has waited longest', async () => {
  const slots = new OriginSlots(1)
  const order: string[] = []
  await slots.take('a', 1_000)
  const second = slots.take('a', 1_000).then(() => order.push('second'))
  const third = slots.take('a', 1_000).then(() => order.push('third'))
  slots.give('a')
  await second
  slots.give('a')
  await third
  expect(order).toEqual(['second', 'third'])
})

test('a request that gave up waiting neither gets a slot nor keeps one from others', async () => {
  const slots = new OriginSlots(1)
  await slots.take('a', 1_000)
  expect(await slots.take('a', 1)).toBe(false)
  const patient = slots.take('a', 1_000)
  slots.give('a')
  expect(await patient).toBe(true)
  slots.give('a')
  expect(await slots.take('a', 1)).toBe(true)
})

test('a full lane takes nothing from another one', async () => {
  const slots = new OriginSlots(1)
  expect(await slots.take('a', 1)).toBe(true)
  expect(await slots.take('a', 1)).toBe(false)
  expect(await slots.take('b', 1)).toBe(true)
})
