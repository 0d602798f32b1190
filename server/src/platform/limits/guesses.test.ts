import { expect, test } from 'vitest'
import { createGuesses } from './guesses.ts'

test('each address has a number of guesses in its minute, and a refusal says when the next minute begins', () => {
  let now = 0
  const guesses = createGuesses(2, () => now)
  guesses.begin('a')
  expect(guesses.isSpent('a')).toBe(false)
  guesses.begin('a')
  now = 20_500
  expect([guesses.isSpent('a'), guesses.secondsLeft('a'), guesses.isSpent('b')]).toEqual([true, 39.5, false])
  now = 60_000
  expect(guesses.isSpent('a')).toBe(false)
})

test('a guess that was none is taken back', () => {
  const guesses = createGuesses(1, () => 0)
  guesses.begin('a')
  guesses.forgive('a')
  expect(guesses.isSpent('a')).toBe(false)
})

test('addresses are not remembered without end', () => {
  const guesses = createGuesses(1, () => 0)
  guesses.begin('first')
  expect(guesses.isSpent('first')).toBe(true)
  for (let number = 0; number < 20_000; number++) guesses.begin(String(number))
  expect(guesses.isSpent('first')).toBe(false)
})
