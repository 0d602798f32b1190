import { expect, test } from 'vitest'
import { snapshotWith } from '../reading/snapshot.testing.ts'
import { countryOf, demoBuyer } from './demo-buyers.ts'

test.each([
  ['https://shop.example/', 'en', 'USD', 'US'],
  ['https://shop.example.co.uk/', 'en', null, 'GB'],
  ['https://laden.example.at/', 'de', 'EUR', 'AT'],
  ['https://shop.example/', 'de', 'EUR', 'DE'],
  ['https://shop.example/', 'fr-be', 'EUR', 'BE'],
  // A theme says English of America all over the world; what is paid says more.
  ['https://shop.example/', 'en-us', 'GBP', 'GB'],
  ['https://shop.example/', 'ja', 'JPY', 'JP'],
  ['https://shop.example/', 'fi', 'EUR', 'IE'],
  ['https://shop.example/', '', 'XOF', 'US'],
] as const)('a buyer for %s in %s, paid in %s, is of %s', (url, language, currency, country) => {
  expect(countryOf(snapshotWith({ url, language }), currency)).toBe(country)
})

test('whoever is made up lives in the country that was asked for, at an address of nobody', () => {
  for (const country of ['US', 'DE', 'JP', 'SE']) {
    const { shipTo, billTo, email } = demoBuyer(country)
    expect(shipTo?.country).toBe(country)
    expect(billTo).toEqual(shipTo)
    expect(email).toMatch(/@example\.com$/)
  }
})
