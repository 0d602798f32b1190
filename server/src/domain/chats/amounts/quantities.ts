import { magnitudeOf, type NumberPart, numberOf, numberParts } from './number-words.ts'
import type { DigitReading, Token } from './tokens.ts'

/** A number in a text, in digits or words, at its tokens `from` until `to`. */
export type Quantity = {
  readonly from: number
  readonly to: number
  readonly readings: readonly DigitReading[]
  readonly isInDigits: boolean
}

export function quantitiesIn(tokens: readonly Token[]): readonly Quantity[] {
  const found: Quantity[] = []
  for (let at = 0; at < tokens.length; ) {
    const quantity = quantityAt(tokens, at)
    if (quantity !== null) found.push(quantity)
    at = quantity?.to ?? at + 1
  }
  return found
}

function quantityAt(tokens: readonly Token[], at: number): Quantity | null {
  const token = tokens[at]
  if (token?.kind === 'digits' || token?.kind === 'kanji') return withMagnitude(tokens, at)
  if (token?.kind !== 'word' && token?.kind !== 'mark') return null
  return inWords(tokens, at)
}

/** `1.2k`, `2千`, `1万2千`, `3 million`. A magnitude after words is one of them. */
function withMagnitude(tokens: readonly Token[], from: number): Quantity {
  let readings = tokens[from]?.readings ?? []
  let to = from + 1
  for (let next = tokens[to]; next !== undefined; next = tokens[to]) {
    const magnitude = isAttached(next) ? magnitudeOf(next.text) : null
    if (magnitude === null) break
    const isKanji = next.kind === 'kanji'
    const scaled = readings.map(({ units, decimals }) => ({ units: units * BigInt(magnitude), decimals }))
    const rest = tokens[to + 1]
    to++
    if (isKanji && rest?.kind === 'digits' && rest.gap === '') {
      // 1万2千: what follows is smaller, and is added.
      const { readings: added, to: end } = withMagnitude(tokens, to)
      readings = scaled.flatMap((high) =>
        added.flatMap((low) =>
          high.decimals + low.decimals === 0 ? [{ units: high.units + low.units, decimals: 0 }] : [],
        ),
      )
      to = end
      break
    }
    readings = scaled
  }
  return { from, to, readings, isInDigits: true }
}

function isAttached({ gap, text, kind }: Token): boolean {
  if (kind === 'kanji') return gap === ''
  return kind === 'word' && (gap === '' || (gap === ' ' && text.length > 1))
}

/** The most words that make a number. A hyphen between two of them is none of them. */
function inWords(tokens: readonly Token[], from: number): Quantity | null {
  const parts: NumberPart[] = []
  let best: { to: number; value: bigint } | null = null
  for (let at = from; at < tokens.length && parts.length < 24; at++) {
    const token = tokens[at]
    if (token === undefined || (at > from && token.gap === '\n')) break
    const isHyphen = token.text === '-' && token.gap === '' && tokens[at + 1]?.gap === '' && at > from
    if (isHyphen) continue
    const found = partsOf(tokens, at)
    if (found === null || (parts.length === 0 && found[0] === 'and')) break
    parts.push(...found)
    if (found.at(-1) === 'and') continue
    const value = numberOf(parts)
    if (value === null) break
    best = { to: at + 1, value }
  }
  if (best === null) return null
  const withOne: Quantity = {
    from,
    to: best.to,
    readings: [{ units: best.value, decimals: 0 }],
    isInDigits: false,
  }
  return withOne
}

function partsOf(tokens: readonly Token[], at: number): readonly NumberPart[] | null {
  const token = tokens[at]
  if (token?.kind !== 'word' && token?.kind !== 'mark') return null
  // A mark that is a number as well: French "cent", which is a hundred where more of a number, or a currency, follows.
  if (token.kind === 'mark') {
    const isCent = /^cents?$/i.test(token.text)
    return isCent && goesOn(tokens, at + 1) ? numberParts(token.text) : null
  }
  return numberParts(token.text)
}

function goesOn(tokens: readonly Token[], at: number): boolean {
  const next = tokens[tokens[at]?.text === '-' ? at + 1 : at]
  if (next === undefined || next.gap === '\n') return false
  if (next.kind === 'mark') return next.mark?.isMinor === false
  const parts = next.kind === 'word' ? numberParts(next.text) : null
  return parts !== null && parts[0] !== 'and'
}
