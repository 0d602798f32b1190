import { expect, test } from 'vitest'
import { amountsIn, unknownAmounts } from './amounts.ts'

/** A text and the amounts that it names, each as `129900 EUR` or `24 ?` without a currency. */
const written: readonly (readonly [string, ...string[]])[] = [
  ['It is $1,299.00 today.', '129900 USD'],
  ['1.299,00 €', '129900 EUR'],
  ['￥1,299 です', '1299 JPY'],
  ['1 299 kr', '129900 SEK'],
  ["CHF 1'299.-", '129900 CHF'],
  ['1’299.– Fr.', '129900 CHF'],
  ['EUR 12', '1200 EUR'],
  ['12 euros', '1200 EUR'],
  ['only 49 cents!', '49 USD'],
  ['49 ct', '49 EUR'],
  ['１２９９円', '1299 JPY'],
  ['١٬٢٩٩٫٠٠ €', '129900 EUR'],
  ['twenty-four euros', '2400 EUR'],
  ['dreißig Euro', '3000 EUR'],
  ['trente euros', '3000 EUR'],
  ['二千円', '2000 JPY'],
  ['treinta euros', '3000 EUR'],
  ['1\u00a0299,50\u00a0€', '129950 EUR'],
  ['1\u202f299,50 €', '129950 EUR'],
  ['1.2k $', '120000 USD'],
  ['$1.2k', '120000 USD'],
  ['1,2 Mio. € im Jahr', '120000000 EUR'],
  ['1.5万円', '15000 JPY'],
  ['1万2千円', '12000 JPY'],
  ['二万五千円', '25000 JPY'],
  ['千二百九十九円', '1299 JPY'],
  ['zweitausenddreihundertvierundzwanzig Euro', '232400 EUR'],
  ['quatre-vingt-dix-neuf euros', '9900 EUR'],
  ['deux cents euros', '20000 EUR'],
  ['cent euros', '10000 EUR'],
  ['soixante et onze euros', '7100 EUR'],
  ['mil doscientos noventa y nueve euros', '129900 EUR'],
  ['treinta y cinco euros', '3500 EUR'],
  ['one thousand two hundred and ninety-nine dollars', '129900 USD'],
  ['a hundred dollars', '10000 USD'],
  ['12 euros 50', '1250 EUR'],
  ['12€50 la paire', '1250 EUR'],
  ['zwölf Euro fünfzig', '1250 EUR'],
  ['12 dollars and 50 cents', '1250 USD'],
  ['99p', '99 GBP'],
  ['20 quid', '2000 GBP'],
  ['CA$24.50', '2450 CAD'],
  ['$24.50 CAD', '2450 CAD'],
  ['R$ 24,50', '2450 BRL'],
  ['24,50 zł', '2450 PLN'],
  ['₹1,29,900.00', '12990000 INR'],
  ['KWD 1.299', '1299 KWD'],
  ['$10-20', '1000 USD', '2000 USD'],
  ['10 bis 20 €', '1000 EUR', '2000 EUR'],
  ['between 10 and 20 euros', '1000 EUR', '2000 EUR'],
  ['2 for $24', '2400 USD'],
  ['2 EUR 24.00', '2400 EUR'],
  ['It costs 24.90.', '24.90 ?'],
  ['Preis: 24', '24 ?'],
  ['値段は2400だ', '2400 ?'],
  ['合計 3,500', '3500 ?'],
  ['à 35,50', '35.5 ?'],
  ['99,99 zl', '9999 PLN'],
  ['49,-', '49 ?'],
  ['**24** €', '2400 EUR'],
  ['2\u200b4 €', '2400 EUR'],
  ['24.000 €', '2400000 EUR'],
  ['24 (EUR)', '2400 EUR'],
  ['-24 €', '2400 EUR'],
  ['the red one for €24, the blue one for €30', '2400 EUR', '3000 EUR'],
  ['24\n€', '2400 EUR'],
  ['a 24-euro kettle', '2400 EUR'],
  ['24 US-Dollar', '2400 USD'],
  ['24 Canadian dollars', '2400 CAD'],
  ['now only 24.99!', '24.99 ?'],
  ['nur 24,99', '24.99 ?'],
  ['24.99 each', '24.99 ?'],
  ['24 \u0415uro', '2400 EUR'],
]

test.each(written)('%s', (text, ...means) => {
  const found = amountsIn(text)
  expect(found).toHaveLength(means.length)
  for (const [index, meant] of means.entries()) {
    const [number, currency] = meant.split(' ')
    const { readings, unmarked } = found[index] ?? { readings: [], unmarked: [] }
    if (currency === '?')
      expect(unmarked.map(({ units, decimals }) => Number(units) / 10 ** decimals)).toContain(Number(number))
    else expect(readings).toContainEqual({ amount: BigInt(number ?? ''), currency })
  }
})

test.each([
  'The iPhone 15 Pro with 256 GB',
  'size 42, which is size EUR 42',
  'It arrives on 12.05.2026 between 10 and 12 o’clock',
  'Call +49 30 1234567',
  '4.5 stars from 1,299 reviews',
  '20 % less',
  'a 1080p display at 60 Hz',
  'I found 3 kettles; the second one holds 1.7 l and 2400 W.',
  'The price of 3 kettles',
  'model XJ-1200 v2.4.1',
  'TOP 10',
  'CVE-2026-93690',
  'R2 of 3',
  'for 2.50 m of rope',
  '2台あります',
  '評価は4.5、レビューは1,234件です。',
  'the cost is paid by the shop in 14 days',
])('%s: no amount', (text) => {
  expect(amountsIn(text)).toEqual([])
})

test('an amount is known in a currency that its mark may mean, and in no other', () => {
  const known = [{ amount: 2400n, currency: 'CAD' }]
  expect(unknownAmounts('It is $24.', known)).toEqual([])
  expect(unknownAmounts('It is 24 €.', known)).toHaveLength(1)
  expect(unknownAmounts('It is $2.40.', known)).toHaveLength(1)
  expect(unknownAmounts('It costs 24.', known)).toEqual([])
})
