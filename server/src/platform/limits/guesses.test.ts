import { expect, test } from 'vitest'
import { Guesses } from './guesses.ts'

test('each caller has so many guesses in its minute, and is told when the next one begins', () => {
  let now = 0
  const guesses = new Guesses(2, () => now)
  expect([guesses.count('a'), guesses.count('a')]).toEqual([null, null])
  now = 20_500
  expect([guesses.count('a'), guesses.count('b')]).toEqual([40, null])
  now = 60_000
  expect([guesses.count('a'), guesses.count('a'), guesses.count('a')]).toEqual([null, null, 60])
})

test('callers are not remembered without end', () => {
  const guesses = new Guesses(1, () => 0)
  guesses.count('first')
  expect(guesses.count('first')).toBe(60)
  for (let number = 0; number < 20_000; number++) guesses.count(String(number))
  expect(guesses.count('first')).toBeNull()
})
