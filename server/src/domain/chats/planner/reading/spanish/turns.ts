import type { Unit } from '../unit.ts'
import { withDoubts } from './doubts.ts'
import { asFiller, isThing } from './unit-kinds.ts'

/** Turns of a few words each: "más de 8 euros no pago", "¿qué ventilador me compro?", "desde 10 hasta 20", "en Bebitos". */
export function withTurns(units: readonly Unit[]): readonly Unit[] {
  const said = asksForAdvice(withDoubts(units))
  const kept = withoutDenied(withoutRefused(withLastWord(withoutReplaced(said))))
  return withWords(withLimits(kept))
}

/** How much is "más de 8 euros no pago", "desde 10 hasta 20", "mínimo 10 y máximo 20", "algo más económico". */
function withLimits(units: readonly Unit[]): readonly Unit[] {
  return units.flatMap((unit, at, all): Unit[] => {
    const [before, next] = [all[at - 1], all[at + 1]]
    if (unit.tag === 'min' && refusesAbove(all, at)) return [{ ...unit, tag: 'max' }]
    if (unit.tag === 'min' && next?.tag === 'number' && all.slice(at + 2, at + 5).some(isUpTo))
      return [{ ...unit, tag: 'between' }]
    const isRange = all.slice(Math.max(0, at - 4), at).some(({ tag }) => tag === 'min')
    // "La segunda y la tercera": each is bought.
    const bought = all.slice(Math.max(0, at - 6), at).find(({ tag }) => tag === 'buy')
    const isEach = isPlaced(before) && next?.tag === 'the' && isPlaced(all[at + 2])
    if (unit.tag === 'and' && bought !== undefined && isEach) return [unit, bought]
    if (unit.tag === 'and' && isRange && next !== undefined && isUpTo(next)) return []
    if (isUpTo(unit) && isRange) return [{ ...unit, value: 'to' }]
    // "Algo más económico" is cheaper, and no more of the same.
    const isMore = (one: Unit | undefined) => one?.tag === 'more' && /m[aá]s$/i.test(one.text)
    if (isMore(unit) && next?.tag === 'cheap') return []
    return [unit.tag === 'cheap' && isMore(before) ? { ...unit, tag: 'cheaper' } : unit]
  })
}

function isPlaced(unit: Unit | undefined): boolean {
  return unit?.tag === 'place' || unit?.tag === 'extreme'
}

/** Words that mean another thing by what stands beside them. */
function withWords(units: readonly Unit[]): readonly Unit[] {
  const buys = units.some(({ tag }) => tag === 'buy')
  const isFirstAsked = units.some(isFirst)
  const hasThing = units.some(isThing)
  return units.map((unit, at, all): Unit => {
    const earlier = all.slice(Math.max(0, at - 6), at)
    if (unit.tag === 'extreme' && isFirstAsked)
      return { ...unit, tag: 'sort', value: sortOf[unit.value] ?? 'price' }
    if (/^en$/i.test(unit.text) && unit.tag === 'in' && isCapital(all[at + 1]))
      return { ...unit, tag: 'from', value: 'sure' }
    const isFirstNext = /^primeros?$/i.test(all[at + 1]?.text ?? '')
    if (unit.tag === 'extreme' && isFirstNext)
      return { ...unit, tag: 'sort', value: sortOf[unit.value] ?? 'price' }
    if (/^primeros?$/i.test(unit.text) && all[at - 1]?.tag === 'extreme') return asFiller(unit)
    // "Cuello alto" stops nothing, and "¿cuál es mejor?" corrects nothing.
    if (/^alto$/i.test(unit.text) && isThing(all[at - 1])) return { ...unit, tag: 'content', value: '' }
    if (/^mejor$/i.test(unit.text) && earlier.some(({ tag }) => tag === 'which'))
      return { ...unit, tag: 'rating', value: '' }
    const isLimiting = all
      .slice(Math.max(0, at - 2), at)
      .some(({ text }) => /^(?:ponme|pon|ponle|fija|f[ií]jame|establece|quiero)$/i.test(text))
    if (isLimiting && /^(?:un )?(?:tope|l[ií]mite)(?: de)?$/i.test(unit.text))
      return { ...unit, tag: 'limit', value: '' }
    const isOffering = offering.test(unit.text)
    // "¿Y no las hacen en verde?" asks for them.
    if (unit.tag === 'no' && !buys && all.slice(at + 1, at + 4).some(({ text }) => offering.test(text)))
      return asFiller(unit)
    // "¿Cuál tiene mejores críticas?" compares, where "¿tiene …?" searches.
    if (isOffering && unit.tag === 'search' && earlier.some(({ tag }) => tag === 'which'))
      return asFiller(unit)
    // "Ordénalos por precio" orders nothing.
    if (unit.tag === 'buy' && /^ord[eé]n/i.test(unit.text) && all.slice(at + 1, at + 8).some(sorts))
      return { ...unit, tag: 'sorting', value: '' }
    const changes = earlier.some(({ tag, text }) => tag === 'change' || widening.test(text))
    if (/^(?:tope|l[ií]mite|m[aá]ximo)$/i.test(unit.text) && changes)
      return { ...unit, tag: 'limit', value: '' }
    // "Se me ha muerto otra vez": again it happened, and nothing is to be tried.
    if (unit.tag === 'retry' && adverb.test(unit.text) && hasThing) return asFiller(unit)
    return isOffering && unit.tag === 'content' ? asFiller(unit) : unit
  })
}

const adverb = /^(?:otra vez|de nuevo|una vez m[aá]s)$/i
const offering =
  /^(?:ha[cy]en|fabrican|tendr[ií]an?|tendr[aá]n?|tendr[aá]s|tienes?|tienen|ten[eé]is|tenés|hay|habr[aá]|habr[ií]a|venden|vend[eé]is|manejan|ofrecen|viene|vienen)$/i

function refusesAbove(units: readonly Unit[], at: number): boolean {
  const after = units.slice(at + 1, at + 5)
  return after[0]?.tag === 'number' && after.findIndex(({ text }) => /^no$/i.test(text)) > 0
}

function isUpTo({ tag, text }: Unit): boolean {
  return tag === 'max' && /^(?:hasta|m[aá]ximo|como m[aá]ximo|como mucho)(?: los)?$/i.test(text)
}

/** "Pon primero las mejor valoradas". */
function isFirst({ tag, text }: Unit): boolean {
  return tag === 'sorting' && /primero|arriba|principio|lugar/i.test(text)
}

const sortOf: Readonly<Record<string, string>> = {
  cheapest: 'price',
  dearest: 'price_descending',
  best_rated: 'rating',
  fastest: 'delivery',
}

function isCapital(unit: Unit | undefined): boolean {
  return unit?.tag === 'content' && /^\p{Lu}\p{Ll}{2}/u.test(unit.text)
}

/** "¿Qué ventilador me compro?" asks for one that is good, and orders none. */
function asksForAdvice(units: readonly Unit[]): readonly Unit[] {
  const asked = units.findIndex(({ text }, at) => /^qu[eé]$/i.test(text) && isThing(units[at + 1]))
  if (asked < 0) return units
  return units.map((unit, at) =>
    at > asked && at < asked + 8 && unit.tag === 'buy' ? { ...unit, tag: 'search', value: '' } : unit,
  )
}

/** "En vez de bicis enséñame patinetes": what is replaced is not wished. */
function withoutReplaced(units: readonly Unit[]): readonly Unit[] {
  const at = units.findIndex(({ text }) => /^(?:en vez de|en lugar de)$/i.test(text))
  const verb = units.findIndex(
    ({ tag }, place) => place > at && (tag === 'search' || tag === 'show' || tag === 'need'),
  )
  if (at < 0 || verb < 0 || units.slice(0, at).some(isThing)) return units
  return units.map((unit, place) => (place >= at && place < verb ? asFiller(unit) : unit))
}

const widening =
  /^(?:ampl[ií][ae]|ampl[ií]ame|ampliar|quitar|quita|quítame|subir|s[uú]be(?:me)?|levantar|lev[aá]nta(?:me)?)$/i

function sorts({ tag, text, value }: Unit): boolean {
  return (
    tag === 'sort' ||
    tag === 'rating' ||
    tag === 'delivery' ||
    tag === 'price' ||
    /^(?:por|seg[uú]n)$/i.test(text) ||
    value === 'price'
  )
}

/** "Una tostadora… mejor una sandwichera": what is better takes the place of what was said before. */
function withLastWord(units: readonly Unit[]): readonly Unit[] {
  return units.map((unit, at) => {
    const isBetter = /^(?:o |casi )?mejor$/i.test(unit.text) && unit.tag === 'rather'
    const begins = units[at - 1]?.tag === 'mark' && (units[at + 1]?.tag === 'a' || isThing(units[at + 1]))
    return isBetter && begins && units.slice(0, at).some(isThing) ? { ...unit, tag: 'oops', value: '' } : unit
  })
}

/** "La verde, no la morada": what is not meant is no word of what is. */
function withoutDenied(units: readonly Unit[]): readonly Unit[] {
  const at = units.findIndex(
    ({ text }, place) =>
      /^no$/i.test(text) &&
      place > 1 &&
      ['mark', 'and'].includes(units[place - 1]?.tag ?? '') &&
      units[place + 1]?.tag === 'the',
  )
  if (at < 0 || !units.slice(0, at).some(isNamedSo) || !isNamedSo(units[at + 2])) return units
  const length = units.slice(at).findIndex(({ tag }) => tag === 'mark' || tag === 'and')
  const end = length < 0 ? units.length : at + length
  return end - at > 5
    ? units
    : units.map((unit, place) => (place >= at && place < end ? asFiller(unit) : unit))
}

function isNamedSo(unit: Unit | undefined): boolean {
  return (
    unit !== undefined &&
    ['color', 'place', 'extreme', 'material', 'size', 'content', 'product'].includes(unit.tag)
  )
}

/** "Tres no, una", "la gris no, dame la roja": what a "no" behind it refuses is not wished. */
function withoutRefused(units: readonly Unit[]): readonly Unit[] {
  const at = units.findIndex(
    ({ text }, place) =>
      /^no$/i.test(text) && place > 0 && units[place + 1]?.tag === 'mark' && place + 2 < units.length,
  )
  const start = units.findLastIndex(({ tag }, place) => place < at && tag === 'mark') + 1
  const refused = units.slice(start, at)
  const isRefused =
    refused.length > 0 &&
    refused.length < 7 &&
    refused.every(({ tag }) => refusable.has(tag)) &&
    refused.some((unit) => isNamedSo(unit) || unit.tag === 'number')
  return at > 0 && isRefused
    ? units.map((unit, place) => (place >= start && place <= at ? asFiller(unit) : unit))
    : units
}

const refusable: ReadonlySet<string> = new Set([
  'the',
  'a',
  'it',
  'one',
  'and',
  'color',
  'place',
  'extreme',
  'material',
  'size',
  'content',
  'product',
  'number',
  'filler',
  'joiner',
])
