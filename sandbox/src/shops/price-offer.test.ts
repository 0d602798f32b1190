import { describe, expect, test } from 'vitest'
import { isObject } from '../fields.ts'
import { type Offer, parseOfferRequest, priceOffer } from './price-offer.ts'

const item = { url: 'https://shop.example/p/1', quantity: 3, unit_amount: 1999 }

function request(fields: object, changed: object = {}) {
  const body = {
    cart_key: 'cart',
    currency: 'usd',
    items: [{ ...item, ...changed }],
    fulfillment: { method: 'ship', fee_allowance: 1000 },
    ...fields,
  }
  if (!isObject(body)) throw new Error('unreachable')
  return parseOfferRequest(body)
}

function offerFor(fields: object, changed: object = {}): Offer {
  const priced = priceOffer(request(fields, changed), 'off_1')
  if (priced.kind === 'refusal') throw new Error(priced.refusal.code)
  return priced.offer
}

function refusalFor(scenario: string, fields: object = {}, changed: object = {}): string | undefined {
  const priced = priceOffer(request(fields, { url: `${item.url}?scenario=${scenario}`, ...changed }), 'off_1')
  return priced.kind === 'refusal' ? priced.refusal.code : undefined
}

describe('amounts', () => {
  test('are the expected price, the fee and 8 % tax, floored', () => {
    expect(offerFor({})).toMatchObject({
      subtotal: 5997,
      fulfillment: 500,
      tax: 479,
      total: 6976,
      currency: 'USD',
    })
  })

  test.each([
    ['ship', 1000, 500],
    ['ship', 499, 499],
    ['ship', 0, 0],
    ['pickup', 1000, 0],
    ['digital', 1000, 0],
  ])('%s with an allowance of %d has a fee of %d', (method, fee_allowance, fee) => {
    expect(offerFor({ fulfillment: { method, fee_allowance } }).fulfillment).toBe(fee)
  })

  test('a fee over the cap is above the allowance', () => {
    expect(offerFor({}, { url: `${item.url}?scenario=fee_over_cap` }).fulfillment).toBe(1100)
  })

  test.each([
    ['price_up_3', 1999, 2059],
    ['price_up_3', 1, 2],
    ['price_up_3', 100, 103],
    ['price_up_20', 1999, 2399],
    ['price_up_20', 300_000_000_001, 360_000_000_002],
  ])('%s makes %d into %d', (scenario, unit_amount, raised) => {
    const offer = offerFor({}, { url: `${item.url}?scenario=${scenario}`, unit_amount, quantity: 1 })
    expect(offer.items).toMatchObject([{ unit_amount: raised }])
    expect(offer.subtotal).toBe(raised)
  })

  test('beyond 10^12 are refused instead of rounded', () => {
    expect(() => offerFor({}, { unit_amount: 1_000_000_000_000, quantity: 10_000 })).toThrow(
      'more than any shop',
    )
  })
})

describe('refusals', () => {
  test.each([
    ['out_of_stock', 'product_out_of_stock'],
    ['insufficient_stock', 'insufficient_stock'],
    ['variant_required', 'variant_required'],
    ['captcha', 'captcha_blocked'],
    ['sign_in_required', 'sign_in_required'],
    ['sign_in_refused', 'sign_in_required'],
    ['sign_in_code', 'sign_in_required'],
    ['unknown_scenario', undefined],
  ])('%s is refused with %s', (scenario, code) => {
    expect(refusalFor(scenario)).toBe(code)
  })

  test('a variant opens variant_required', () => {
    expect(refusalFor('variant_required', {}, { variant: { id: 'var_1' } })).toBeUndefined()
    expect(refusalFor('variant_required', {}, { variant: {} })).toBe('variant_required')
  })

  test.each([
    ['signed_in', undefined],
    ['refused', 'sign_in_refused'],
    ['code_sent', 'sign_in_code'],
  ] as const)('who is %s at a wall is told %s', (standing, code) => {
    const asked = request({}, { url: `${item.url}?scenario=sign_in_required` })
    const priced = priceOffer(asked, 'off_1', standing)
    expect(priced.kind === 'refusal' ? priced.refusal.code : undefined).toBe(code)
  })

  test('one bad item refuses the cart', () => {
    const items = [item, { ...item, url: `${item.url}?scenario=out_of_stock` }]
    expect(priceOffer(request({ items }), 'off_1')).toMatchObject({ kind: 'refusal' })
  })
})

describe('merchant', () => {
  test('is the host of the items, or the domain above their hosts when named', () => {
    expect(offerFor({}).merchant).toBe('shop.example')
    const items = [
      { ...item, url: 'https://a.shop.example/1' },
      { ...item, url: 'https://b.shop.example/1' },
    ]
    expect(offerFor({ items, merchant: 'shop.example' }).merchant).toBe('shop.example')
    expect(() => offerFor({ items })).toThrow('of its merchant')
    expect(() => offerFor({ merchant: 'other.example' })).toThrow('of its merchant')
  })

  test('is never reached over plain http', () => {
    expect(() => offerFor({}, { url: 'http://shop.example/' })).toThrow('https')
  })
})
