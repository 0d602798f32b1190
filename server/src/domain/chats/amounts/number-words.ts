import { folded } from './currency-words.ts'

/** A part of a number in words: what is added, what multiplies the hundreds before it, or all before it; or what only joins. */
export type NumberPart = { readonly add: number } | { readonly times: number } | 'and'

const added: Readonly<Record<string, number>> = {
  ...counted(
    0,
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  ),
  ...counted(
    0,
    'null ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn',
  ),
  ...counted(
    0,
    'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
  ),
  ...counted(
    0,
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve',
  ),
  ...counted(
    20,
    'veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve',
  ),
  ...tens('twenty thirty forty fifty sixty seventy eighty ninety'),
  ...tens('zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig'),
  ...tens('vingt trente quarante cinquante soixante septante huitante nonante'),
  ...tens('veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa'),
  ...{ eins: 1, eine: 1, einen: 1, zwo: 2, fuenf: 5, zwoelf: 12, dreizig: 30, fuenfzehn: 15, fuenfzig: 50 },
  ...{ une: 1, octante: 80, una: 1, veintiun: 21, veintiuna: 21, fourty: 40, vingts: 20 },
  ...{ doscientos: 200, trescientos: 300, cuatrocientos: 400, quinientos: 500, seiscientos: 600 },
  ...{ setecientos: 700, ochocientos: 800, novecientos: 900 },
  ...{ doscientas: 200, trescientas: 300, cuatrocientas: 400, quinientas: 500, seiscientas: 600 },
  ...{ setecientas: 700, ochocientas: 800, novecientas: 900 },
}

const multiplied: Readonly<Record<string, number>> = {
  ...{
    hundred: 100,
    hundreds: 100,
    hundert: 100,
    cent: 100,
    cents: 100,
    cien: 100,
    ciento: 100,
    cientos: 100,
  },
  ...{
    thousand: 1e3,
    tausend: 1e3,
    mille: 1e3,
    mil: 1e3,
    grand: 1e3,
    k: 1e3,
    tsd: 1e3,
    dozen: 12,
    dutzend: 12,
  },
  ...{ million: 1e6, millions: 1e6, millionen: 1e6, millon: 1e6, millones: 1e6, mio: 1e6, mn: 1e6, m: 1e6 },
  ...{ billion: 1e9, milliarde: 1e9, milliarden: 1e9, milliard: 1e9, milliards: 1e9, mrd: 1e9, bn: 1e9 },
}

const joining = new Set(['and', 'und', 'et', 'y'])

/** What a word says of a number; null where it says nothing. German writes several in one word. */
export function numberParts(word: string): readonly NumberPart[] | null {
  const plain = folded(word)
  if (joining.has(plain)) return ['and']
  const one = partOf(plain)
  return one === null ? compoundParts(plain) : [one]
}

/** What multiplies the number that it follows: `1.2k`, `3 million`, `1,5 Mio.` */
export function magnitudeOf(word: string): number | null {
  if (word === 'M' || word === 'm') return word === 'M' ? 1e6 : null
  const plain = folded(word)
  return plain === 'cent' || plain === 'cents' ? null : (multiplied[plain] ?? kanjiScales[word] ?? null)
}

/** Null where the parts are no number, as in "two three". */
export function numberOf(parts: readonly NumberPart[]): bigint | null {
  let [total, current] = [0, 0]
  let isJoined = false
  for (const part of parts) {
    if (part === 'and') isJoined = true
    else if ('add' in part) {
      const next = addedTo(current, part.add, isJoined)
      if (next === null) return null
      current = next
      isJoined = false
    } else if (part.times <= 100) current = hundredfold(current, part.times)
    else [total, current] = [total + Math.max(current, total === 0 || current > 0 ? 1 : 0) * part.times, 0]
    if (total + current > Number.MAX_SAFE_INTEGER / 1e9) return null
  }
  return BigInt(total + current)
}

function hundredfold(current: number, times: number): number {
  const rest = current % 100
  return current - rest + (rest === 0 ? 1 : rest) * times
}

function addedTo(current: number, add: number, isJoined: boolean): number | null {
  if (add >= 100) return current === 0 ? add : null
  const rest = current % 100
  if (rest === 4 && add === 20 && !isJoined) return current + 76 // quatre-vingts
  if (rest === 0) return current + add
  if (rest < 10 && add >= 20 && add % 10 === 0) return isJoined ? current + add : null // vierundzwanzig
  // soixante-dix-sept has two steps of the same kind.
  const isNext = rest >= 20 ? add < 20 : add >= 7 && add <= 9
  return rest % 10 === 0 && isNext ? current + add : null
}

function partOf(word: string): NumberPart | null {
  const add = Object.hasOwn(added, word) ? added[word] : undefined
  if (add !== undefined) return { add }
  const times = Object.hasOwn(multiplied, word) ? multiplied[word] : undefined
  // Single letters are magnitudes of digits alone.
  return times === undefined || word.length === 1 ? null : { times }
}

const pieces = [
  ...Object.keys(added).filter((word) =>
    /^(?:ein|zw|drei|vier|f|sech|sieb|acht|neun|zehn|elf|null)/.test(word),
  ),
  'hundert',
  'tausend',
  'und',
  'sechs',
  'sieben',
].sort((one, other) => other.length - one.length)

/** `zweitausenddreihundertvierundzwanzig`. */
function compoundParts(word: string): readonly NumberPart[] | null {
  if (word.length > 60) return null
  const parts: NumberPart[] = []
  for (let at = 0; at < word.length; ) {
    const piece = pieces.find((each) => word.startsWith(each, at))
    if (piece === undefined) return null
    const part = piece === 'und' ? 'and' : partOf(piece)
    if (part === null) return null
    parts.push(part)
    at += piece.length
  }
  return parts
}

const kanjiDigits: Readonly<Record<string, number>> = {
  ...counted(0, '〇 一 二 三 四 五 六 七 八 九'),
  ...{ 零: 0, 壱: 1, 弐: 2, 参: 3, 两: 2 },
}
const kanjiUnits: Readonly<Record<string, number>> = { 十: 10, 拾: 10, 百: 100, 千: 1000 }
const kanjiScales: Readonly<Record<string, number>> = { 千: 1e3, 百: 100, 万: 1e4, 萬: 1e4, 億: 1e8, 亿: 1e8 }

export const kanjiNumber = /[〇零一二三四五六七八九十拾百千万萬億亿壱弐参两]+/uy

/** 二千三百, 二万五千; 二〇〇 by its digits. */
export function kanjiValue(text: string): bigint | null {
  if (text.length > 24) return null
  if ([...text].every((each) => Object.hasOwn(kanjiDigits, each)))
    return BigInt([...text].map((each) => kanjiDigits[each]).join(''))
  let [total, section, digit] = [0, 0, 0]
  for (const each of text) {
    const [isDigit, unit, scale] = [Object.hasOwn(kanjiDigits, each), kanjiUnits[each], kanjiScales[each]]
    if (isDigit) digit = digit * 10 + (kanjiDigits[each] ?? 0)
    else if (unit !== undefined) [section, digit] = [section + Math.max(digit, 1) * unit, 0]
    else if (scale !== undefined)
      [total, section, digit] = [total + Math.max(section + digit, 1) * scale, 0, 0]
  }
  const value = total + section + digit
  return Number.isSafeInteger(value) ? BigInt(value) : null
}

function counted(from: number, words: string): Record<string, number> {
  return Object.fromEntries(words.split(' ').map((word, index) => [word, from + index]))
}

function tens(words: string): Record<string, number> {
  return Object.fromEntries(
    words.split(' ').map((word, index) => [word, word.startsWith('vingt') ? 20 : 20 + index * 10]),
  )
}
