import { expect, test } from 'vitest'
import { moneyText } from './page.ts'

test.each([
  [1470, 'EUR', '14.70 EUR'],
  [1470, 'JPY', '1470 JPY'],
  [1470, 'HUF', '14.70 HUF'],
  [1470, 'BHD', '1.470 BHD'],
  [14700, 'CLF', '1.4700 CLF'],
])('an amount has the decimals of its currency: %d %s', (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text)
})
