import { describe, expect, test } from 'vitest'
import { type AmountHint, readAmount, readAmounts } from './money-text.ts'

type Row = [
  text: string,
  language: string,
  hint: string | null,
  amount: bigint | null,
  currency?: string | null,
]

function hint(language: string, currency: string | null): AmountHint {
  return { currency, language }
}

const one: readonly Row[] = [
  ['€1,249.00', 'en', 'EUR', 124900n, 'EUR'],
  ['$20', 'en', 'USD', 2000n, 'USD'],
  ['$20.00', 'en-us', null, 2000n, 'USD'],
  ['US$ 20', 'en', null, 2000n, 'USD'],
  ['$20.00 CAD', 'en', 'USD', 2000n, 'CAD'],
  ['CAD $20.00', 'en', 'USD', 2000n, 'CAD'],
  ['USD 1,200', 'en', null, 120000n, 'USD'],
  ['1.249,00 €', 'de', 'EUR', 124900n, 'EUR'],
  ['1.249 €', 'de', 'EUR', 124900n, 'EUR'],
  ['1.249', 'de', 'EUR', 124900n, 'EUR'],
  ['12,95', 'de', 'EUR', 1295n, 'EUR'],
  ['12,95', 'de', null, 1295n, null],
  ['8,95 €', 'de', null, 895n, 'EUR'],
  ['€ 8,95*', 'de', null, 895n, 'EUR'],
  ['1 249,00 €', 'fr', null, 124900n, 'EUR'],
  ['1 249,00 €', 'fr', null, 124900n, 'EUR'],
  ['1 249,00 €', 'fr', null, 124900n, 'EUR'],
  ['5,00 $US', 'fr', null, 500n, 'USD'],
  ['1 249,00 $US', 'fr', 'USD', 124900n, 'USD'],
  ['5,00 $ US', 'fr-ca', 'USD', 500n, 'USD'],
  ['5,00 $CA', 'fr', 'USD', 500n, 'CAD'],
  ['5,00 £GB', 'fr', null, 500n, 'GBP'],
  ['JP¥1,200', 'en', null, 1200n, 'JPY'],
  ['1.249,00 €', 'es', null, 124900n, 'EUR'],
  ['€ 1.249,00', 'it', null, 124900n, 'EUR'],
  ['€ 20,-', 'nl', null, 2000n, 'EUR'],
  ['20,– €', 'de', null, 2000n, 'EUR'],
  ['R$ 1.249,90', 'pt-br', null, 124990n, 'BRL'],
  ['1.249,90 €', 'pt', null, 124990n, 'EUR'],
  ['1 249,90 zł', 'pl', null, 124990n, 'PLN'],
  ['1 249,00 kr', 'sv', null, 124900n, 'SEK'],
  ['249:-', 'sv', 'SEK', 24900n, 'SEK'],
  ['249 kr', 'da', null, 24900n, 'DKK'],
  ['249 kr.', 'en', 'NOK', 24900n, 'NOK'],
  ['¥1,200', 'ja', null, 1200n, 'JPY'],
  ['1,200円', 'ja', null, 1200n, 'JPY'],
  ['１，２００円', 'ja', null, 1200n, 'JPY'],
  ['￥1,200（税込）', 'ja', 'JPY', 1200n, 'JPY'],
  ['¥1200.00', 'en', 'JPY', 1200n, 'JPY'],
  ["CHF 1'200.50", 'de-ch', null, 120050n, 'CHF'],
  ['CHF 1’200.50', 'fr-ch', null, 120050n, 'CHF'],
  ['KWD 1.249', 'en', null, 1249n, 'KWD'],
  ['₹1,00,000.00', 'en', null, 10000000n, 'INR'],
  ['−5,00 €', 'de', null, -500n, 'EUR'],
  ['-$5.00', 'en', 'USD', -500n, 'USD'],
  ['€ -5,00', 'nl', null, -500n, 'EUR'],
  ['- 5,00 €', 'de', null, -500n, 'EUR'],
  ['Discount: -$5.00', 'en', 'USD', -500n, 'USD'],
  ['Standard - 5,00 €', 'de', null, 500n, 'EUR'],
  ['Standard (3-5 days) – $5.00', 'en', 'USD', 500n, 'USD'],
  ['Standard ($5.00)', 'en', 'USD', 500n, 'USD'],
  ['Total:$27.00', 'en', 'USD', 2700n, 'USD'],
  ['2 × $48.00', 'en', 'USD', 4800n, 'USD'],
  ['12,95 € inkl. 19 % MwSt.', 'de', null, 1295n, 'EUR'],
  ['$48⁰⁰', 'en', 'USD', 4800n, 'USD'],
  ['$1,249', '', 'USD', 124900n, 'USD'],
  ['$5.00', 'en', 'EUR', 500n, null],
  ['€5.00', 'en', 'USD', 500n, 'EUR'],
  ['Free', 'en', 'USD', 0n, 'USD'],
  ['kostenlos', 'de', 'EUR', 0n, 'EUR'],
  ['Standard (gratis)', 'nl', 'EUR', 0n, 'EUR'],
  ['Gratuit', 'fr', 'EUR', 0n, 'EUR'],
  ['Gratuito', 'es', 'EUR', 0n, 'EUR'],
  ['Grátis', 'pt', 'EUR', 0n, 'EUR'],
  ['za darmo', 'pl', 'PLN', 0n, 'PLN'],
  ['Fri frakt', 'sv', 'SEK', 0n, 'SEK'],
  ['無料', 'ja', 'JPY', 0n, 'JPY'],
]

const none: readonly Row[] = [
  ['', 'en', 'USD', null],
  ['3', 'en', 'USD', null],
  ['1200', 'ja', 'JPY', null],
  ['€10.00 – €20.00', 'en', 'EUR', null],
  ['$1.999', 'en', 'USD', null],
  ['1,249 €', 'de', null, null],
  ['1,249 KWD', '', null, null],
  ['¥1,200', 'en', null, null],
  ['¥1,20', 'ja', null, null],
  ['2 100,00 €', 'de', null, null],
  ['1.2.3 €', 'de', null, null],
  ['1,2345.00 €', 'en', null, null],
  ['$48⁰⁰⁰', 'en', 'USD', null],
  ['12.05.2026', 'de', 'EUR', null],
  ['Lieferung am 12.05', 'de', 'EUR', null],
  ['19,00 %', 'de', 'EUR', null],
  ['4,75 von 5', 'de', 'EUR', null],
  ['1,50 kg', 'de', 'EUR', null],
  ['10:30', 'en', 'USD', null],
  ['SKU A12.95', 'en', 'USD', null],
  ['ALL 20 items', 'en', 'USD', null],
  ['gluten-free', 'en', 'USD', null],
  ['Feel the joy of shopping here for a free toy', 'en', 'USD', null],
  ['€ 999999999999999999999999', 'en', 'EUR', null],
]

describe('one amount', () => {
  test.each(one)('%s in %s, expecting %s', (text, language, currency, amount, written) => {
    expect(readAmount(text, hint(language, currency))).toMatchObject({ amount, currency: written })
  })

  test.each(none)('%s in %s, expecting %s, is no amount for sure', (text, language, currency) => {
    expect(readAmount(text, hint(language, currency))).toBeNull()
  })
})

test('several amounts are read in order, each with its own sign and currency', () => {
  const read = (text: string, language = 'en') =>
    readAmounts(text, hint(language, 'USD')).map(({ amount, currency }) => `${amount} ${currency}`)
  expect(read('Was $30.00, now $20.00 (save $10)')).toEqual(['3000 USD', '2000 USD', '1000 USD'])
  expect(read('Qty 5 €10.00')).toEqual(['1000 EUR'])
  expect(read('5,00 € 10,00 €', 'de')).toEqual(['500 EUR', '1000 EUR'])
  expect(read('€ 5,00 € 10,00', 'nl')).toEqual(['500 EUR', '1000 EUR'])
  expect(read('Subtotal $20.00\nDiscount -$2.00\nTotal $18.00')).toEqual(['2000 USD', '-200 USD', '1800 USD'])
})

test('the text of an amount is what is written, with its currency', () => {
  expect(readAmounts('Summe: 1.249,00 € inkl. MwSt.', hint('de', null))[0]?.text).toBe('1.249,00 €')
})

test('long and hostile texts are read in one pass', () => {
  const numbers = '1.'.repeat(50_000)
  const spaces = '1 234'.padEnd(100_000, ' 567')
  const signs = '€$'.repeat(50_000)
  const digits = '9'.repeat(100_000)
  for (const text of [numbers, spaces, signs, digits, '$1,234.56 '.repeat(10_000)])
    expect(() => readAmounts(text, hint('fr', 'EUR'))).not.toThrow()
  expect(readAmounts('$1,234.56 '.repeat(4_000), hint('en', 'USD'))).toHaveLength(4_000)
})
