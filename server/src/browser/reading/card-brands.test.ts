import { expect, test } from 'vitest'
import { isListOfBrands, optionOfBrand } from './card-brands.ts'
import { paymentMethods } from './payment-methods.ts'
import { control, option, snapshotWith } from './snapshot.testing.ts'

const list = control({
  kind: 'select',
  options: [
    option('--Please Select--', ''),
    option('American Express', 'AE'),
    option('Visa', 'VI'),
    option('MasterCard', 'MC'),
  ],
})

test.each([
  ['4111111111111111', 'VI'],
  ['5555555555554444', 'MC'],
  ['2223003122003222', 'MC'],
  ['378282246310005', 'AE'],
  ['6011111111111117', null],
])('a card with %s is of the brand %s', (number, brand) => {
  expect(optionOfBrand(list, number)).toBe(brand)
})

test('a list of brands is no choice of a way to pay, and one of ways to pay is none of brands', () => {
  expect(isListOfBrands(list)).toBe(true)
  expect(paymentMethods(snapshotWith({ controls: [list] }))).toEqual([])
  const ways = control({ kind: 'select', options: [option('Visa or Mastercard'), option('PayPal')] })
  expect(isListOfBrands(ways)).toBe(false)
})
