import { expect, test } from 'vitest'
import { testCardNumbered, testCardNumbers } from '../../../contract/test-card-numbers.ts'
import { brandOf } from '../../../schema/card-brands.ts'
import { looksLikeCardNumber } from '../../../schema/card-number.ts'
import { testCards } from './test-cards.ts'

test('the number of each test card is of its brand, ends as it does, and stands for it alone', () => {
  for (const [name, { brand, last4 }] of Object.entries(testCards)) {
    const number = testCardNumbers[name as keyof typeof testCards]
    expect([name, brandOf(number), number.slice(-4)]).toEqual([name, brand, last4])
    expect([looksLikeCardNumber(number), testCardNumbered(number)]).toEqual([true, name])
  }
  expect(testCardNumbered('4111111111111111')).toBeNull()
})
