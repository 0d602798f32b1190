import { expect, test } from 'vitest'
import { inSlices } from './in-slices.ts'

test('megabytes leave whole, and others have their turn between their slices', async () => {
  const body = Buffer.from(Array.from({ length: 1_000_000 }, (_, nth) => nth % 251))
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const slices: Buffer[] = []
  for await (const slice of inSlices(body)) slices.push(slice as Buffer)
  isOver = true
  expect(Buffer.concat(slices).equals(body)).toBe(true)
  expect(slices.length).toBeGreaterThan(4)
  expect(turns).toBeGreaterThanOrEqual(slices.length - 1)
})

test('a small answer leaves as it is', () => {
  const body = Buffer.from('small')
  expect(inSlices(body)).toBe(body)
})
