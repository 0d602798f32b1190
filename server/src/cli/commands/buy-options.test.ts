import { describe, expect, test } from 'vitest'
import { addSelection, readAmount, readProductUrl } from './buy-options.ts'

describe('an amount', () => {
  test.each([
    ['12.50', 1250, 'USD'],
    ['12.5', 1250, 'USD'],
    ['12', 1200, 'USD'],
    ['12.50 EUR', 1250, 'EUR'],
    ['eur 12.50', 1250, 'EUR'],
    ['  3  GBP ', 300, 'GBP'],
    ['1500 JPY', 1500, 'JPY'],
    ['1.234 KWD', 1234, 'KWD'],
    ['0.01', 1, 'USD'],
    ['10000000000.00', 1_000_000_000_000, 'USD'],
  ])('%s is read', (text, amount, currency) => {
    expect(readAmount(text)).toEqual({ amount, currency })
  })

  test.each([
    ['0', 'such as 12.50'],
    ['0.00 EUR', 'such as 12.50'],
    ['-1', 'such as 12.50'],
    ['', 'such as 12.50'],
    ['abc', 'such as 12.50'],
    ['12,50', 'such as 12.50'],
    ['1.2.3', 'such as 12.50'],
    ['12.50€', 'such as 12.50'],
    ['USD 12.50 EUR', 'such as 12.50'],
    ['1e3', 'such as 12.50'],
    ['10000000000.01', 'such as 12.50'],
    ['12.505', 'USD has 2 decimals at most'],
    ['1.5 JPY', 'JPY has no decimals'],
    ['12.50 QQQ', 'QQQ is no currency'],
  ])('%s is refused with what to write', (text, words) => {
    expect(() => readAmount(text)).toThrow(words)
  })
})

test('options of a product add up, and what names none is refused', () => {
  const both = addSelection('Size = M ', addSelection('Color=a=b', []))
  expect(both).toEqual([
    { name: 'Color', value: 'a=b' },
    { name: 'Size', value: 'M' },
  ])
  for (const text of ['Size', 'Size=', '=M', ' =M', 'Size= ', ''])
    expect(() => addSelection(text, []), text).toThrow('such as Size=M')
})

test('only the https address of a page is one', () => {
  expect(readProductUrl('https://shop.example/mug?x=1')).toBe('https://shop.example/mug?x=1')
  for (const text of ['http://shop.example/mug', 'shop.example/mug', 'mug', '', 'file:///etc/passwd'])
    expect(() => readProductUrl(text), text).toThrow('https address')
})
