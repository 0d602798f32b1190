import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Asked, decideOffer, type Terms } from './decide-offer.ts'

const terms: Terms = {
  currency: 'USD',
  expectedAmount: 10_000n,
  toleranceBasisPoints: 500,
  feeAllowance: 600n,
  maxAllowedAmount: 12_000n,
  onPriceExceed: 'fail',
}
const asked: Asked = {
  subtotal: 10_000n,
  fulfillment: 500n,
  tax: 800n,
  discount: 0n,
  total: 11_300n,
  currency: 'USD',
}

/** The total follows from the parts unless a row says otherwise. */
function ask(change: Partial<Asked>): Asked {
  const parts = { ...asked, ...change }
  return {
    total: parts.subtotal + parts.fulfillment + parts.tax - parts.discount,
    ...withoutTotal(parts),
    ...pick(change),
  }
}
function withoutTotal({ subtotal, fulfillment, tax, discount, currency }: Asked) {
  return { subtotal, fulfillment, tax, discount, currency }
}
function pick(change: Partial<Asked>): { total?: bigint } {
  return change.total === undefined ? {} : { total: change.total }
}

test.each<[string, Partial<Terms>, Partial<Asked>, string]>([
  ['as expected', {}, {}, 'accept'],
  ['cheaper', {}, { subtotal: 1n }, 'accept'],
  ['for nothing', {}, { subtotal: 0n, fulfillment: 0n, tax: 0n }, 'accept'],
  ['at the very edge of the tolerance', {}, { subtotal: 10_500n }, 'accept'],
  ['one unit beyond the tolerance', {}, { subtotal: 10_501n }, 'price_changed'],
  [
    'beyond the tolerance where the policy asks again',
    { onPriceExceed: 'reapprove' },
    { subtotal: 10_501n },
    'reapprove',
  ],
  ['without any tolerance', { toleranceBasisPoints: 0 }, { subtotal: 10_001n }, 'price_changed'],
  [
    'a tolerance that rounds to nothing',
    { expectedAmount: 19n },
    { subtotal: 20n, fulfillment: 0n, tax: 0n },
    'price_changed',
  ],
  ['a fee at its allowance', {}, { fulfillment: 600n }, 'accept'],
  ['a fee beyond its allowance', {}, { fulfillment: 601n }, 'fulfillment_fee_exceeded'],
  ['price and fee beyond: the price is named', {}, { subtotal: 10_501n, fulfillment: 601n }, 'price_changed'],
  [
    'a dear fee is never approved again',
    { onPriceExceed: 'reapprove' },
    { fulfillment: 601n },
    'fulfillment_fee_exceeded',
  ],
  ['a total at the cap', {}, { tax: 1500n }, 'accept'],
  ['a total beyond the cap', {}, { tax: 1501n }, 'max_amount_exceeded'],
  [
    'a cap that a policy lowered below what was expected',
    { maxAllowedAmount: 9000n },
    {},
    'max_amount_exceeded',
  ],
  [
    'a dear tax is never approved again',
    { onPriceExceed: 'reapprove' },
    { tax: 1501n },
    'max_amount_exceeded',
  ],
  ['a discount counts', {}, { tax: 1501n, discount: 1n }, 'accept'],
  ['another currency, at any amounts', {}, { currency: 'JPY', subtotal: 1n }, 'unsupported_currency'],
  ['a total that its parts do not make', {}, { total: 11_299n }, 'merchant_unavailable'],
  ['a negative part', {}, { fulfillment: -500n }, 'merchant_unavailable'],
])('%s', (_, termsChange, askedChange, expected) => {
  const verdict = decideOffer({ ...terms, ...termsChange }, ask(askedChange))
  expect(verdict.kind === 'fail' ? verdict.code : verdict.kind).toBe(expected)
})

test('nothing above the cap, the fee allowance or the tolerance is ever accepted', () => {
  const amount = fc.bigInt({ min: 0n, max: 20_000n })
  fc.assert(
    fc.property(amount, amount, amount, (subtotal, fulfillment, tax) => {
      const verdict = decideOffer(terms, ask({ subtotal, fulfillment, tax }))
      const within = subtotal <= 10_500n && fulfillment <= 600n && subtotal + fulfillment + tax <= 12_000n
      expect(verdict.kind === 'accept').toBe(within)
    }),
  )
})
