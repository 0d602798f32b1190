import currencies from 'currency-codes'
import { expect, test } from 'vitest'
import { decimalsOf, moneyText } from '../../../elements/frame/src/money.ts'

test('a person reads as many decimals as ISO 4217 gives a currency, also where people write fewer', () => {
  const wrong = currencies.codes().filter((code) => decimalsOf(code) !== (currencies.code(code)?.digits ?? 2))
  expect(wrong.filter((code) => !code.startsWith('X'))).toEqual([])
  expect(moneyText(4900, 'USD', 'en')).toBe('$49.00')
  expect(moneyText(490_000, 'HUF', 'en')).toMatch(/4,900\.00/)
  expect(moneyText(4900, 'JPY', 'en')).toMatch(/4,900$/)
  expect(moneyText(4900, 'nothing', 'en')).toBe('49.00 nothing')
})
