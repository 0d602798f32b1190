import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createIdSource, idPattern, idTimeMs } from './id.ts'

test('ids have the documented form and carry the time they were made at', () => {
  const newId = createIdSource(randomBytes)
  const at = Date.UTC(2026, 5, 1, 12)
  const id = newId('prof', at)
  expect(id).toMatch(new RegExp(idPattern('prof')))
  expect(id).toHaveLength('prof_'.length + 26)
  expect(idTimeMs(id)).toBe(at)
})

test('ids of one process ascend, also within a millisecond and when the clock steps back', () => {
  const newId = createIdSource(randomBytes)
  const at = Date.UTC(2026, 5, 1)
  const ids = Array.from({ length: 10_000 }, (_, index) => newId('pi', at - (index % 3)))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})
