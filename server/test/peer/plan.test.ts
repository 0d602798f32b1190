import { expect, test } from 'vitest'
import { emmy, grace, lamp, plan, shirts } from './plan.testing.ts'
import { expectedOf, type Plan, readPlan, WrongPlan } from './plan.ts'

const read = (value: unknown) => readPlan(Buffer.from(JSON.stringify(value)))

test('a plan is read as it is written', () => {
  expect(read(plan)).toEqual(plan)
  const whole = { ...plan, paid: ['Paid'], payment_host: { host: 'pay.shop.test', port: 8092 } }
  expect(read(whole)).toEqual(whole)
})

const wrong: [string, unknown, string][] = [
  ['a field that there is not', { ...plan, curency: 'USD' }, 'curency: Extra inputs'],
  ['no book', { ...plan, book: undefined }, 'book: Field required'],
  ['a host elsewhere', { ...plan, host: 'shop.example' }, 'host: String should match'],
  ['a price with a point', { ...plan, products: [{ ...lamp, price: 49.5 }] }, 'products[0].price: '],
  [
    'what the API would refuse of a profile',
    { ...plan, buyers: [{ ...grace, profile: { ...grace.profile, phone: '030' } }, emmy] },
    'buyers[0].profile.phone: ',
  ],
  [
    'one country alone',
    { ...plan, buyers: [grace, { ...grace, name: 'Ada' }] },
    'buyers of at least two countries',
  ],
  [
    'a buyer without an address',
    { ...plan, buyers: [grace, emmy, { name: 'Ada', profile: { ...grace.profile, addresses: [] } }] },
    'buyers[2].profile.addresses: one address is needed',
  ],
  ['two of one name', { ...plan, products: [lamp, lamp] }, 'products: "a lamp" is the name of several'],
  [
    'a sum of nobody',
    { ...plan, expected: [{ buyer: 'Ada', total: 1 }] },
    'expected[0].buyer: there is no buyer "Ada"',
  ],
  [
    'the shop as its payment host',
    { ...plan, payment_host: { host: plan.host, port: 1 } },
    'the host of the shop',
  ],
]

test.each(wrong)('%s is refused in words', (_, value, said) => {
  expect(() => read(value)).toThrow(WrongPlan)
  expect(() => read(value)).toThrow(said)
})

test('what is no JSON is refused with its place', () => {
  expect(() => readPlan(Buffer.from('{"name": }'))).toThrow(/at character 9/)
})

test('an expectation without a product or a buyer is for all, and a later one counts', () => {
  const told: Plan = {
    ...plan,
    expected: [
      { total: 100 },
      { product: 'a lamp', total: 200 },
      { product: 'a lamp', buyer: 'Emmy', refused: true },
      { product: 'two shirts', buyer: 'Emmy', refused: ['variant_required'] },
    ],
  }
  expect(expectedOf(told, lamp, grace)).toEqual({ total: 200, refused: null })
  expect(expectedOf(told, lamp, emmy)).toEqual({ total: 200, refused: [] })
  expect(expectedOf(told, shirts, grace)).toEqual({ total: 100, refused: null })
  expect(expectedOf(told, shirts, emmy)).toEqual({ total: 100, refused: ['variant_required'] })
})
