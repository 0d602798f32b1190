import { codes } from 'currency-codes'

/** What a mark stands for: units or hundredths of one of some currencies. */
export type CurrencyMark = {
  readonly currencies: readonly string[]
  readonly isMinor: boolean
  /** Whether it also stands before its number, as signs and codes do. */
  readonly mayLead: boolean
}

const dollars =
  'USD CAD AUD NZD SGD HKD TWD MXN ARS COP CLP UYU JMD BBD BZD BSD BMD FJD NAD TTD XCD GYD LRD SRD BND KYD DOP'
const pounds = 'GBP EGP LBP SYP SDG GIP FKP SHP'
const kroner = 'SEK NOK DKK ISK'
const francs = 'CHF XOF XAF XPF DJF GNF KMF RWF BIF CDF'
const pesos = 'MXN ARS CLP COP UYU PHP DOP CUP'
const dinars = 'KWD BHD JOD TND DZD IQD LYD RSD'

const leading: readonly (readonly [string, string])[] = [
  [dollars, '$'],
  ['USD', 'us$ usd$ $us'],
  ['CAD', 'ca$ c$ cad$ cdn$ $ca'],
  ['AUD', 'a$ au$ aud$ $au'],
  ['NZD', 'nz$ nzd$ $nz'],
  ['SGD', 's$ sg$ sgd$ $sg'],
  ['HKD', 'hk$ hkd$ $hk'],
  ['TWD', 'nt$ ntd $tw'],
  ['MXN', 'mx$ mex$ $mx'],
  ['ARS', 'ar$ $ar'],
  ['BRL', 'r$ br$ reais real'],
  ['EUR', '€ euro'],
  [pounds, '£ ₤'],
  ['GBP', 'uk£'],
  ['CNY TWD', '元 圓'],
  ['CZK', 'kč kc'],
  ['HUF', 'ft'],
  ['JPY CNY', '¥'],
  ['CNY', 'rmb cn¥ ¥cn'],
  ['JPY', 'jp¥'],
  [francs, 'fr sfr'],
  [kroner, 'kr'],
  ['DKK', 'dkr'],
  ['NOK', 'nkr'],
  ['SEK', 'skr'],
  ['ISK', 'ikr'],
  ['KRW', '₩'],
  ['INR PKR LKR NPR MUR SCR', '₹ rs'],
  ['IDR', 'rp'],
  ['MYR', 'rm'],
  ['ZAR', 'r'],
  ['PLN', 'zł zl'],
  ['RUB', '₽'],
  ['UAH', '₴'],
  ['TRY', '₺'],
  ['VND', '₫'],
  ['PHP', '₱'],
  ['THB', '฿'],
  ['ILS', '₪'],
  ['NGN', '₦'],
  ['KZT', '₸'],
  ['GEL', '₾'],
  ['CRC', '₡'],
  ['PYG', '₲'],
  ['GHS', '₵'],
  ['AZN', '₼'],
  ['AMD', '֏'],
  ['MNT', '₮'],
  ['LAK', '₭'],
]

const following: readonly (readonly [string, string])[] = [
  [dollars, 'dollar dollars dolar dolares dollari dollaro ドル 달러 دولار доллар долларов buck bucks'],
  ['USD', '美元 米ドル'],
  ['EUR', 'euros euronen euroa ευρω евро 欧元 ユーロ 유로 يورو balle balles'],
  [pounds, 'pound pounds sterling pfund libra libras ポンド 英镑 جنيه'],
  ['GBP', 'quid'],
  ['JPY', 'yen yens yenes 円 엔'],
  ['CNY TWD', 'yuan yuans 块'],
  ['CNY', '人民币 renminbi'],
  [francs, 'franc francs franken stutz fränkli フラン franco francos'],
  [kroner, 'krona kronor krone kroner kronen krónur couronnes coronas kronas'],
  ['KRW', '원 won ウォン'],
  ['INR PKR LKR NPR MUR SCR', 'rupee rupees rupien roupies rupias'],
  [pesos, 'peso pesos'],
  ['PLN', 'zloty zlotys zlote zlotych'],
  ['HUF', 'forint'],
  ['RON', 'lei leu'],
  ['BGN', 'лв лева lev'],
  ['RUB', 'руб рублей рубля rubel rubles roubles rublos'],
  ['UAH', 'грн'],
  ['TRY', 'tl lira lirasi'],
  ['THB', 'baht'],
  ['AED MAD', 'درهم dirham dirhams'],
  ['SAR QAR OMR YER IRR', 'ريال riyal riyals'],
  [dinars, 'دينار dinar dinars'],
  ['SAR', 'ر.س'],
  ['KWD', 'د.ك'],
  ['AED', 'د.إ'],
  ['EGP', 'ج.م'],
]

const hundredths: readonly (readonly [string, string])[] = [
  [`EUR ${dollars}`, 'cent cents ct cts ¢ セント 센트'],
  ['GBP', 'p penny pence'],
  ['CHF', 'rappen rp.'],
  ['EUR CHF', 'centime centimes'],
  [`EUR ${pesos}`, 'centimo centimos centavo centavos'],
  ['SEK NOK DKK', 'öre øre'],
  ['EUR', 'centesimi'],
]

/** Codes that are words when they stand in capitals. Before a number without decimals they are words. */
export const codesThatAreWords: ReadonlySet<string> = new Set(
  'ALL TOP CUP PEN SOS MOP GEL BAM MAD BOB COP TRY'.split(' '),
)

/** Codes that people write in small letters too. */
const usualCodes = new Set(
  'EUR USD GBP CHF JPY CAD AUD NZD SEK NOK DKK PLN CZK INR KRW CNY BRL MXN SGD HKD'.split(' '),
)

const isoCodes = new Set(codes().filter((code) => !code.startsWith('XX') && code !== 'XTS'))

const marks: ReadonlyMap<string, CurrencyMark> = new Map([
  ...listed(hundredths, { isMinor: true, mayLead: false }),
  ...listed(following, { isMinor: false, mayLead: false }),
  ...listed(leading, { isMinor: false, mayLead: true }),
])

/** What a word or sign stands for, as it was written. */
export function currencyMark(text: string): CurrencyMark | null {
  const code = text.toUpperCase()
  if (isoCodes.has(code) && (text === code || usualCodes.has(code)))
    return { currencies: [code], isMinor: false, mayLead: true }
  // One letter in capitals is a currency, or a size: `R 1,299`.
  if (text.length === 1 && /[a-z]/i.test(text))
    return marks.get(text === 'R' ? 'r' : text === 'p' ? 'p' : '') ?? null
  return marks.get(folded(text)) ?? null
}

/** In small letters and without marks over Latin letters. */
export function folded(text: string): string {
  const plain = /[a-z]/i.test(text)
    ? text.replace(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, latinLookalike)
    : text
  return plain
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
}

const lookalikes = 'аaАAеeЕEоoОOрpРPсcСCуyУYхxХXкkКKіiІIοoΟOαaΑAεeΕEυuΥYκkΚK'

/** In a word of Latin letters, those of another script are meant as what they look like. */
function latinLookalike(letter: string): string {
  const at = lookalikes.indexOf(letter)
  return at < 0 || at % 2 === 1 ? letter : (lookalikes[at + 1] ?? letter)
}

/** The marks of scripts without spaces, and those with signs in them, the longest first. */
export const unspacedMarks: readonly string[] = [...marks.keys()]
  .filter((mark) => !/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u.test(mark))
  .sort((one, other) => other.length - one.length)

function listed(
  rows: readonly (readonly [string, string])[],
  of: Omit<CurrencyMark, 'currencies'>,
): [string, CurrencyMark][] {
  return rows.flatMap(([currencies, words]) =>
    words
      .split(' ')
      .map((word): [string, CurrencyMark] => [folded(word), { ...of, currencies: currencies.split(' ') }]),
  )
}
