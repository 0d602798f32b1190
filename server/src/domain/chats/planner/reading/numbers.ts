/** A number as it is written (`1.299,00`, `1,299.99`, `1'299`), as a decimal with a point. */
export function numberOf(written: string): string {
  const text = written.replaceAll("'", '')
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (last < 0) return text
  const whole = text.slice(0, last).replace(/[.,]/g, '')
  const rest = text.slice(last + 1)
  const marks = text.replace(/\d/g, '')
  // One kind of mark before three digits parts thousands; the last of two kinds is the decimal mark.
  const isThousands = rest.length === 3 && new Set(marks).size === 1 && whole !== '0'
  return isThousands ? whole + rest : `${whole}.${rest}`
}

const germanOnes = [
  'null',
  'ein',
  'zwei',
  'drei',
  'vier',
  'funf',
  'sechs',
  'sieben',
  'acht',
  'neun',
  'zehn',
  'elf',
  'zwolf',
]
const germanTeens = ['dreizehn', 'vierzehn', 'funfzehn', 'sechzehn', 'siebzehn', 'achtzehn', 'neunzehn']
const germanTens = ['zwanzig', 'dreissig', 'vierzig', 'funfzig', 'sechzig', 'siebzig', 'achtzig', 'neunzig']

const germanNumbers: ReadonlyMap<string, number> = (() => {
  const numbers = new Map<string, number>()
  for (const [value, word] of [...germanOnes, ...germanTeens].entries()) numbers.set(word, value)
  numbers.set('zwo', 2)
  for (const [place, word] of germanTens.entries()) {
    numbers.set(word, (place + 2) * 10)
    for (let one = 1; one < 10; one += 1) numbers.set(`${germanOnes[one]}und${word}`, (place + 2) * 10 + one)
  }
  return numbers
})()

/** A German number in one word, folded: `dreissig`, `zweihundertfunfzig`, `eintausend`. Never `ein`, which is an article. */
export function germanNumber(key: string): number | null {
  if (key === 'ein' || key.length > 60) return null
  const [thousands, below] = cut(key, 'tausend')
  const [hundreds, rest] = cut(below, 'hundert')
  const parts = [
    multiplier(thousands, 1000),
    multiplier(hundreds, 100),
    below === '' || rest === '' ? 0 : germanNumbers.get(rest),
  ]
  let sum = 0
  for (const part of parts) {
    if (part === undefined) return null
    sum += part
  }
  return key === '' ? null : sum
}

/** What stands before and after a word, and no `before` where the word is missing. */
function cut(text: string, word: string): [string | null, string] {
  const at = text.indexOf(word)
  return at < 0 ? [null, text] : [text.slice(0, at), text.slice(at + word.length)]
}

function multiplier(word: string | null, times: number): number | undefined {
  if (word === null) return 0
  if (word === '') return times
  const value = germanNumbers.get(word)
  return value === undefined ? undefined : value * times
}

const numeralPattern =
  /[\d一二三四五六七八九十百千万〇]+(?:[.,]\d+)*[百千万]*(?:\d+|[一二三四五六七八九十百千]+)?/uy
const numeralMax = 20
const kanjiDigits = '〇一二三四五六七八九'
const kanjiUnits: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 }

/** A number at a place of a Japanese text, in digits or kanji: `3,000`, `二千`, `1万5千`. */
export function kanjiNumeral(text: string, offset: number): string | null {
  numeralPattern.lastIndex = 0
  // One letter more than a number may have tells that it is none; reading on would take the square of the length.
  const found = numeralPattern.exec(text.slice(offset, offset + numeralMax + 1))?.[0] ?? null
  return found !== null && found.length <= numeralMax ? found : null
}

export function kanjiNumber(written: string): string {
  if (/^[\d.,]+$/.test(written)) return numberOf(written)
  const [tenThousands, rest] = cut(written, '万')
  const above =
    tenThousands === null ? 0 : (tenThousands === '' ? 1 : belowTenThousand(tenThousands)) * 10_000
  return String(above + belowTenThousand(rest))
}

function belowTenThousand(written: string): number {
  let sum = 0
  let current: number | null = null
  for (const piece of written.match(/\d+(?:[.,]\d+)*|./gu) ?? []) {
    const unit = kanjiUnits[piece]
    if (unit !== undefined) {
      sum += (current ?? 1) * unit
      current = null
    } else {
      const digit = kanjiDigits.indexOf(piece)
      const value = digit >= 0 ? digit : Number(numberOf(piece))
      current = current === null ? value : current * 10 + value
    }
  }
  return sum + (current ?? 0)
}
