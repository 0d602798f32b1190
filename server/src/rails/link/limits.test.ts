import { expect, test } from 'vitest'
import { whyNotByLink } from './limits.ts'

const use = { today: 0n, inThirtyDays: 0n, active: 0 }

test.each([
  ['500 dollars', { amount: 50_000n }, null],
  ['a cent more', { amount: 50_001n }, 'over_request_limit'],
  ['other money', { amount: 100n, currency: 'CAD' }, 'currency_not_offered'],
  ['a person in Canada', { amount: 100n, countryOfPerson: 'CA' }, null],
  ['a person elsewhere', { amount: 100n, countryOfPerson: 'DE' }, 'country_not_offered'],
  ['a card for twelve hours', { amount: 1n, neededForMs: 43_200_000 }, null],
  ['a card for longer', { amount: 1n, neededForMs: 43_200_001 }, 'needed_for_longer'],
  ['the last cent of the day', { amount: 1n, use: { ...use, today: 49_999n } }, null],
  ['a cent beyond the day', { amount: 2n, use: { ...use, today: 49_999n } }, 'over_daily_limit'],
  ['the last cent of the month', { amount: 1n, use: { ...use, inThirtyDays: 1_999_999n } }, null],
  [
    'a cent beyond the month',
    { amount: 2n, use: { ...use, inThirtyDays: 1_999_999n } },
    'over_monthly_limit',
  ],
  ['the thirtieth request', { amount: 1n, use: { ...use, active: 29 } }, null],
  ['one more', { amount: 1n, use: { ...use, active: 30 } }, 'too_many_requests'],
] as const)('%s', (_, asked, why) => {
  expect(whyNotByLink({ currency: 'USD', ...asked })).toBe(why)
})
