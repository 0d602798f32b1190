import { randomUUID } from 'node:crypto'
import { codes, code as currencyOf } from 'currency-codes'
import { afterAll, expect, test } from 'vitest'
import { threeDecimal, toldInHundredths, zeroDecimal } from '../fixtures/stripe-currencies.ts'
import { openStripeRail } from '../harness/stripe-rail.ts'
import { call, done } from './payment-rail/rail-under-test.ts'

const { rail, stripe, stop } = await openStripeRail()
afterAll(stop)

/** One of the currency, as Stripe counts it. */
function perMajorAtStripe(currency: string): bigint {
  if (zeroDecimal.includes(currency)) return 1n
  return threeDecimal.includes(currency) ? 1000n : 100n
}

/** One of the currency in its minor units, by ISO 4217. Metals and funds have none. */
function perMajor(currency: string): bigint {
  return 10n ** BigInt(currencyOf(currency)?.digits ?? 0)
}

async function authorize(currency: string, amount: bigint) {
  const key = randomUUID()
  const card = { testCard: 'visa_auto_approved', vaultToken: 'none' } as const
  const input = { key, card, amount, currency, merchant: 'shop.example', reference: `test ${key}` }
  return { key, said: await rail.authorize(input, call) }
}

const refused = { kind: 'refused', refusal: { code: 'currency_not_supported', declineCode: null } }

/** Those that every account may charge, whatever its country. */
const charged = 'USD EUR GBP JPY KWD ISK UGX MGA HUF TWD IDR CLP TND'.split(' ')

test('an amount in each currency of ISO 4217 is worth the same at Stripe, or nothing is held', async () => {
  const unsaid: string[] = []
  for (const currency of codes()) {
    const [minor, told] = [perMajor(currency), perMajorAtStripe(currency)]
    const { key, said } = await authorize(currency, 1_234n * minor)
    if (said.kind !== 'done') {
      expect([currency, said]).toEqual([currency, refused])
      expect(await stripe.moneyOf(key), currency).toEqual([])
      unsaid.push(currency)
      continue
    }
    const { reference, amount } = said.value
    expect([currency, amount, said.value.currency]).toEqual([currency, 1_234n * minor, currency])
    const of = { reference, currency }
    const captured = done(await rail.capture({ ...of, key: randomUUID(), amount: 617n * minor }, call))
    expect([currency, captured.capturedAmount]).toEqual([currency, 617n * minor])
    const refund = done(await rail.refund({ ...of, key: randomUUID(), amount: 100n * minor }, call))
    expect([currency, refund.amount]).toEqual([currency, 100n * minor])
    expect([currency, ...(await stripe.moneyOf(key))]).toEqual([
      currency,
      `confirm ${1_234n * told} requires_capture`,
      `capture ${617n * told} succeeded`,
      `refund ${100n * told} succeeded`,
    ])
  }
  expect(unsaid.filter((currency) => charged.includes(currency))).toEqual([])
  // What has no minor unit at all is no money that a card pays with.
  expect(unsaid).toEqual(expect.arrayContaining(['XAU', 'XTS', 'CLF', 'IQD', 'LYD']))
})

test.each(codes().filter((currency) => (currencyOf(currency)?.digits ?? 0) > 0))(
  'the smallest unit of %s is charged as it is, or refused',
  async (currency) => {
    const amount = 1_234n * perMajor(currency) + 1n
    const { key, said } = await authorize(currency, amount)
    const entries = await stripe.moneyOf(key)
    if (said.kind === 'done') {
      expect(said.value.amount).toBe(amount)
      expect(entries).toEqual([`confirm ${amount} requires_capture`])
      expect(perMajorAtStripe(currency)).toBe(perMajor(currency))
      expect([...threeDecimal, ...toldInHundredths]).not.toContain(currency)
    } else expect([said, entries]).toEqual([refused, []])
  },
)
