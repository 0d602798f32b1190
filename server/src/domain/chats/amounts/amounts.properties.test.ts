import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computingMs } from '../../../../test/gate/pace.ts'
import { minorPerMajor } from '../../../core/money.ts'
import { amountsIn } from './amounts.ts'
import { checkedText } from './checked-text.ts'
import { spellers } from './spelled.testing.ts'

const locales =
  'en-US en-GB en-IN en-CA de-DE de-CH de-AT fr-FR fr-CH fr-CA es-ES es-MX ja-JP sv-SE nb-NO da-DK pl-PL pt-BR it-IT nl-NL ar-EG fa-IR zh-CN ko-KR hi-IN'.split(
    ' ',
  )
const currencies = 'USD EUR GBP JPY CHF CAD AUD SEK NOK DKK PLN BRL MXN INR KRW CNY KWD CZK'.split(' ')

/** As the standard library writes it, which has what people of each country are used to. */
const formatted = fc
  .record({
    locale: fc.constantFrom(...locales),
    currency: fc.constantFrom(...currencies),
    currencyDisplay: fc.constantFrom('symbol' as const, 'narrowSymbol' as const, 'code' as const),
    amount: fc.oneof(fc.bigInt(1n, 99_999n), fc.bigInt(1n, 999_999_999n)),
  })
  .map(({ amount, currency, ...how }) => {
    const decimals = String(minorPerMajor(currency)).length - 1
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
    const format = new Intl.NumberFormat(how.locale, { style: 'currency', currency, ...digits, ...how })
    return {
      amount,
      currency,
      form: `${how.locale} ${how.currencyDisplay}`,
      text: format.format(exactly(amount, decimals)),
    }
  })

const wordsOf: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  en: [
    ['dollars', 'USD'],
    ['euros', 'EUR'],
    ['pounds', 'GBP'],
    ['yen', 'JPY'],
  ],
  de: [
    ['Euro', 'EUR'],
    ['Franken', 'CHF'],
    ['Dollar', 'USD'],
  ],
  fr: [
    ['euros', 'EUR'],
    ['francs', 'CHF'],
    ['dollars', 'CAD'],
  ],
  es: [
    ['euros', 'EUR'],
    ['pesos', 'MXN'],
    ['dólares', 'USD'],
  ],
  ja: [
    ['円', 'JPY'],
    ['ドル', 'USD'],
    ['ユーロ', 'EUR'],
  ],
}

const spelled = fc
  .record({
    language: fc.constantFrom('en', 'de', 'fr', 'es', 'ja'),
    which: fc.nat(2),
    number: fc.oneof(fc.integer({ min: 2, max: 130 }), fc.integer({ min: 2, max: 99_999 })),
    isCapital: fc.boolean(),
  })
  .map(({ language, which, number, isCapital }) => {
    const [word, currency] = wordsOf[language]?.[which] ?? ['euros', 'EUR']
    const spoken = spellers[language]?.(number) ?? ''
    const text = `${spoken}${language === 'ja' ? '' : ' '}${word}`
    const amount = BigInt(number) * minorPerMajor(currency)
    return {
      amount,
      currency,
      form: `${language} words`,
      text: isCapital ? (text[0] ?? '').toUpperCase() + text.slice(1) : text,
    }
  })

const written = fc
  .record({ form: fc.constantFrom(...handForms()), amount: fc.bigInt(1n, 9_999_999n), whole: fc.boolean() })
  .map(({ form: [form, currency, write], amount, whole }) => {
    const perMajor = minorPerMajor(currency)
    const exact = whole || form.startsWith('whole') ? (amount / 100n + 1n) * perMajor : amount
    return {
      amount: exact,
      currency,
      form,
      text: write(exact / perMajor, String(exact % perMajor).padStart(2, '0')),
    }
  })

const places = [
  '{}',
  'It is {}.',
  'The kettle (1.7 l) is {} and comes on Friday.',
  '**{}**',
  '- Price {}\n- Size 42',
  'Er kostet {} und kommt morgen.',
  'Il coûte {}, livré demain.',
  'Cuesta {} con envío.',
  'これは{}です。',
  'Model KX-200 for {} at example.com',
  '2 × {}',
  '| Kettle | {} |',
  'Total: {}\nThanks!',
]

test('20,000 random amounts in the forms that people write are found with their value', () => {
  const forms = new Map<string, number>()
  fc.assert(
    fc.property(
      fc.oneof(formatted, spelled, written),
      fc.constantFrom(...places),
      ({ amount, currency, form, text }, place) => {
        forms.set(form, (forms.get(form) ?? 0) + 1)
        const found = amountsIn(place.replace('{}', () => text))
        expect(found, form).toHaveLength(1)
        expect(found[0]?.readings, form).toContainEqual({ amount, currency })
      },
    ),
    { numRuns: 20_000 },
  )
  expect(forms.size).toBeGreaterThan(90)
})

test('an amount that is one unit off is not taken for the known one', () => {
  fc.assert(
    fc.property(fc.oneof(formatted, spelled, written), ({ amount, currency, text }) => {
      const { replaced } = checkedText(`Good news. It is ${text}. It is quiet.`, [{ amount, currency }])
      expect(replaced).toBe(0)
      for (const other of [amount + 1n, amount * 10n, amount * 100n, amount * 1000n])
        expect(checkedText(`Good. It is ${text}. Quiet.`, [{ amount: other, currency }]).replaced).toBe(
          amountsIn(text)[0]?.readings.some((each) => each.amount === other && each.currency === currency)
            ? 0
            : 1,
        )
    }),
    { numRuns: 2_000 },
  )
})

test('texts without money are mostly untouched', () => {
  const cases = fc.sample(moneyless(), { numRuns: 5_000, seed: 29 })
  const touched = cases.filter((text) => amountsIn(text).length > 0)
  expect(touched.length / cases.length, touched.slice(0, 5).join('\n')).toBeLessThan(0.002)
})

test.each([
  ['1 '.repeat(4_000)],
  ['$'.repeat(8_000)],
  ['9'.repeat(8_000)],
  ['1.234.'.repeat(1_300)],
  ['two hundred and '.repeat(500)],
  ['einundzwanzig'.repeat(600)],
  ['千'.repeat(8_000)],
  [' '.repeat(8_000)],
  ['. '.repeat(4_000)],
  ['1 $ '.repeat(2_000)],
  ['It is 2 $. '.repeat(700)],
  [`1 $${'.'.repeat(8_000)}`],
  [`1 $.${'"'.repeat(8_000)}`],
])('a hostile text takes no longer: %.20s', (text) => {
  expect(computingMs(() => checkedText(text, [{ amount: 1n, currency: 'USD' }]))).toBeLessThan(400)
})

function exactly(amount: bigint, decimals: number): `${number}` {
  const text = String(amount).padStart(decimals + 1, '0')
  const at = text.length - decimals
  return (decimals === 0 ? text : `${text.slice(0, at)}.${text.slice(at)}`) as `${number}` // digits around one point
}

type Form = readonly [string, string, (major: bigint, minor: string) => string]

function handForms(): Form[] {
  const by = (separator: string) => (major: bigint) => String(major).replace(/\B(?=(\d{3})+$)/g, separator)
  const [comma, point, space, tick] = [by(','), by('.'), by(' '), by("'")]
  const wide = (text: string) =>
    text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
  const arabic = (text: string) =>
    text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0x630))
  return [
    ['$1,299.00', 'USD', (major, minor) => `$${comma(major)}.${minor}`],
    ['USD1299.00', 'USD', (major, minor) => `USD${major}.${minor}`],
    ['1299.00 usd', 'USD', (major, minor) => `${major}.${minor} usd`],
    ['1299.00$', 'AUD', (major, minor) => `${major}.${minor}$`],
    ['1.299,00 €', 'EUR', (major, minor) => `${point(major)},${minor} €`],
    ['€ 1.299,00', 'EUR', (major, minor) => `€ ${point(major)},${minor}`],
    ['€1299.00', 'EUR', (major, minor) => `€${major}.${minor}`],
    ['1 299,00 EUR', 'EUR', (major, minor) => `${space(major)},${minor} EUR`],
    ['1299€00', 'EUR', (major, minor) => `${major}€${minor}`],
    ['whole 1.299 Euro', 'EUR', (major) => `${point(major)} Euro`],
    ['whole 1299,- €', 'EUR', (major) => `${major},- €`],
    ['whole 1299 balles', 'EUR', (major) => `${major} balles`],
    ['￥1,299', 'JPY', (major) => `￥${comma(major)}`],
    ['1,299円', 'JPY', (major) => `${comma(major)}円`],
    ['wide 1299円', 'JPY', (major) => `${wide(String(major))}円`],
    ['1 299,00 kr', 'SEK', (major, minor) => `${space(major)},${minor} kr`],
    ['whole kr. 1.299,-', 'DKK', (major) => `kr. ${point(major)},-`],
    ['whole 1 299:- kr', 'SEK', (major) => `${space(major)}:- kr`],
    ["whole CHF 1'299.-", 'CHF', (major) => `CHF ${tick(major)}.-`],
    ["Fr. 1'299.00", 'CHF', (major, minor) => `Fr. ${tick(major)}.${minor}`],
    ['1’299.00 Franken', 'CHF', (major, minor) => `${by('’')(major)}.${minor} Franken`],
    ['thin 1 299,00 €', 'EUR', (major, minor) => `${by('\u202f')(major)},${minor}\u00a0€`],
    ['thin2 1 299,00 €', 'EUR', (major, minor) => `${by('\u2009')(major)},${minor}\u2009€`],
    ['arabic', 'EUR', (major, minor) => `${arabic(by('٬')(major))}٫${arabic(minor)} €`],
    ['£1,299.00', 'GBP', (major, minor) => `£${comma(major)}.${minor}`],
    ['whole 1299 quid', 'GBP', (major) => `${major} quid`],
    ['1299 dollars and 50 cents', 'USD', (major, minor) => `${major} dollars and ${minor} cents`],
    ['whole 1299k $', 'USD', (major) => `${Number(major) / 1000}k $`],
    ['bold', 'EUR', (major, minor) => `**${major},${minor}** €`],
    ['hidden', 'USD', (major, minor) => `$\u200b${comma(major)}\u2060.${minor}`],
  ]
}

function moneyless() {
  const n = (min: number, max: number) => fc.integer({ min, max }).map(String)
  const fill = (template: string, ...numbers: fc.Arbitrary<string>[]) =>
    fc.tuple(...numbers).map((values) => template.replace(/#/g, () => values.shift() ?? ''))
  return fc.oneof(
    fill('The KX-# model holds #.# l and has # W.', n(10, 9999), n(0, 9), n(0, 9), n(200, 3000)),
    fill('iPhone # Pro with # GB', n(4, 20), n(16, 2048)),
    fill('Size # is in stock, size # is not.', n(30, 50), n(30, 50)),
    fill('In Größe # und # ist er lieferbar.', n(30, 50), n(30, 50)),
    fill(
      'It arrives on #.#.20#, between # and # o’clock.',
      n(1, 28),
      n(1, 12),
      n(24, 30),
      n(8, 12),
      n(13, 20),
    ),
    fill('It comes in #–# days.', n(1, 5), n(6, 14)),
    fill('Livraison le # mai 20# vers # h #.', n(1, 31), n(24, 30), n(8, 20), n(10, 59)),
    fill('Llega en # días, el # de mayo.', n(1, 30), n(1, 31)),
    fill('Call +49 # #, or 0800 # #.', n(30, 99), n(100000, 9999999), n(100, 999), n(100, 999)),
    fill('It is # % cheaper than in 20#.', n(1, 90), n(10, 26)),
    fill('Rated #.# of 5 by #,# people.', n(1, 4), n(0, 9), n(1, 99), n(100, 999)),
    fill('I found # kettles; the first # are red.', n(2, 20), n(2, 9)),
    fill('容量は#.#L、重さは#gです。', n(0, 5), n(1, 9), n(100, 9000)),
    fill('#月#日に#個届きます。', n(1, 12), n(1, 28), n(1, 9)),
    fill('Order number #-#, parcel JD#.', n(100, 999), n(1000, 9999), n(1000000, 99999999)),
    fill('The price of # pieces is not known yet.', n(2, 40)),
    fill('# × # × # cm, # kg', n(5, 90), n(5, 90), n(5, 90), n(1, 40)),
    fill('v#.#.#, # MHz, # mAh, USB # ', n(1, 9), n(0, 30), n(0, 30), n(50, 900), n(500, 9000), n(2, 4)),
    fill('The cost is shown after step # of #.', n(1, 3), n(4, 9)),
    fill('I bought the second one # weeks ago, at # in the morning.', n(2, 20), n(6, 11)),
    fill('Two of them, one hundred and # pages, # sheets.', n(2, 90), n(100, 900)),
    fill('Le numéro # est le moins cher des #.', n(1, 9), n(3, 20)),
    fill('Quiero # de talla #.', n(2, 9), n(30, 50)),
    fill('It costs less than the # others, in all # shops.', n(2, 9), n(2, 30)),
    fill('Der Preis gilt für # Stück, bis zum #.#.', n(2, 9), n(1, 28), n(1, 12)),
    fill('A#-paper, # g/m², # sheets, pack of #', n(2, 6), n(60, 200), n(50, 900), n(2, 10)),
    fill('#p, # fps, HDR#', fc.constantFrom('480', '720', '1080', '2160'), n(24, 144), n(10, 12)),
    fill('# pound dumbbells', fc.constant('')),
  )
}
