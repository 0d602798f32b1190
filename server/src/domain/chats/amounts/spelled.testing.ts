/** Numbers below a million in words, made here and not read from the tables that are tested. */
export const spellers: Readonly<Record<string, (number: number) => string>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  ja: japanese,
}

const below20 =
  ' one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tensOf = {
  en: '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
  de: '  zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' '),
  fr: '  vingt trente quarante cinquante soixante'.split(' '),
  es: '   treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' '),
}

function english(number: number): string {
  const ones = below20.split(' ')
  if (number >= 1000)
    return joined(' ', english(Math.floor(number / 1000)), 'thousand', english(number % 1000))
  if (number >= 100)
    return joined(
      ' ',
      ones[Math.floor(number / 100)],
      'hundred',
      number % 100 > 0 ? `and ${english(number % 100)}` : '',
    )
  return number < 20
    ? (ones[number] ?? '')
    : joined('-', tensOf.en[Math.floor(number / 10)], ones[number % 10])
}

function german(number: number): string {
  const ones =
    ' ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(
      ' ',
    )
  if (number >= 1000) return `${german(Math.floor(number / 1000))}tausend${german(number % 1000)}`
  if (number >= 100) return `${ones[Math.floor(number / 100)]}hundert${german(number % 100)}`
  if (number < 20) return ones[number] ?? ''
  return joined('und', ones[number % 10], tensOf.de[Math.floor(number / 10)])
}

function french(number: number): string {
  const ones =
    ' un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
      ' ',
    )
  if (number >= 1000) {
    const thousands = Math.floor(number / 1000)
    return joined(' ', thousands === 1 ? '' : french(thousands), 'mille', french(number % 1000))
  }
  if (number >= 100) {
    const hundreds = Math.floor(number / 100)
    const isRound = number % 100 === 0 && hundreds > 1
    return joined(' ', hundreds === 1 ? '' : ones[hundreds], isRound ? 'cents' : 'cent', french(number % 100))
  }
  if (number < 20) return ones[number] ?? ''
  if (number === 80) return 'quatre-vingts'
  if (number > 80) return `quatre-vingt-${ones[number - 80]}`
  if (number > 70 && number !== 71) return `soixante-${ones[number - 60]}`
  if (number === 70 || number === 71) return number === 70 ? 'soixante-dix' : 'soixante et onze'
  const [tens, rest] = [tensOf.fr[Math.floor(number / 10)], number % 10]
  return rest === 1 ? `${tens} et un` : joined('-', tens, ones[rest])
}

function spanish(number: number): string {
  const ones =
    ' un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiún veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve'.split(
      ' ',
    )
  const hundreds =
    ' ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(
      ' ',
    )
  if (number >= 1000) {
    const thousands = Math.floor(number / 1000)
    return joined(' ', thousands === 1 ? '' : spanish(thousands), 'mil', spanish(number % 1000))
  }
  if (number === 100) return 'cien'
  if (number > 100) return joined(' ', hundreds[Math.floor(number / 100)], spanish(number % 100))
  return number < 30
    ? (ones[number] ?? '')
    : joined(' y ', tensOf.es[Math.floor(number / 10)], ones[number % 10])
}

function japanese(number: number): string {
  const digits = ' 一二三四五六七八九'
  if (number >= 10_000) return `${japanese(Math.floor(number / 10_000))}万${japanese(number % 10_000)}`
  let text = ''
  for (const [unit, sign] of [
    [1000, '千'],
    [100, '百'],
    [10, '十'],
  ] as const) {
    const count = Math.floor(number / unit) % 10
    if (count > 0) text += `${count === 1 ? '' : digits[count]}${sign}`
  }
  return text + (number % 10 > 0 ? digits[number % 10] : '')
}

function joined(by: string, ...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== '' && part !== undefined).join(by)
}
