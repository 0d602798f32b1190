import type { Spoken } from '../../understood.ts'
import { matchesShown } from '../shown-words.ts'
import type { Unit } from '../unit.ts'
import { isThing } from './unit-kinds.ts'

/** How options are told from what else their words mean: "azul clarito", "té de menta", "de la 44", "botas rosas 39", "cama de 90". */
export function withOptions(units: readonly Unit[], spoken: Spoken): readonly Unit[] {
  const read: Unit[] = []
  const hasThing = units.some(isThing)
  for (const [at, unit] of units.entries()) {
    const before = read.at(-1)
    const next = units[at + 1]
    const shade = shadeOf(unit)
    const meant = beside(unit, before, next, spoken)
    if (before?.tag === 'color' && shade !== null)
      read.push({ ...(read.pop() as Unit), end: unit.end, value: shaded(before.value, shade) })
    else if (meant !== null) read.push(meant)
    else if (unit.tag === 'number' && isWrittenSize(units, at, read)) read.push({ ...unit, tag: 'size' })
    else if (
      (isOf(unit) || /^en$/i.test(unit.text)) &&
      isArticle(next) &&
      isSizeNumber(units[at + 2]) &&
      isPlain(units[at + 3])
    )
      read.push({ ...unit, tag: 'sizeword', value: '' })
    else if (isArticle(unit) && before?.tag === 'sizeword') continue
    else if (
      unit.tag === 'number' &&
      /^\d/.test(unit.text) &&
      /^de?$/i.test(before?.text ?? '') &&
      isPlain(next) &&
      spoken.asked === null &&
      hasThing
    )
      read.push({ ...unit, tag: 'content' })
    else if (/^[A-F]{1,2}$/.test(unit.text) && before?.tag === 'number' && before.end === unit.start) {
      const number = read.pop() as Unit
      read.push({ ...number, tag: 'size', value: number.text + unit.text, end: unit.end })
    } else if (half.test(unit.text) && before?.tag === 'and' && read.at(-2)?.tag === 'number') {
      read.pop()
      const whole = read.pop() as Unit
      read.push({ ...whole, value: `${whole.value}.5`, end: unit.end })
    } else if (unit.value === 'fromend' && read.some(({ tag }) => tag === 'place')) {
      const place = read.findLastIndex(({ tag }) => tag === 'place')
      const found = read[place] as Unit
      read[place] = { ...found, value: String(-Math.abs(Number(found.value))) }
      read.push({ ...unit, value: '' })
    } else if (isStuff(unit, read, next)) read.push({ ...unit, tag: 'content', value: '' })
    else if (middle.test(unit.text) && unit.tag === 'size' && before?.text.toLowerCase() === 'del') {
      read.pop()
      read.push(middleOf(unit, spoken))
    } else read.push(middlePlace.test(unit.text) ? middleOf(unit, spoken) : unit)
  }
  return read
}

/** What a word with two meanings is, by what stands beside it; null: it has one. */
function beside(unit: Unit, before: Unit | undefined, next: Unit | undefined, spoken: Spoken): Unit | null {
  const { tag, text } = unit
  const tagBefore = before?.tag ?? ''
  if (tag === 'color' && isOf(before) && alsoThings.test(text)) return { ...unit, tag: 'content' }
  if (/^caf[eé]s?$/i.test(text) && isThing(before)) return { ...unit, tag: 'color', value: 'brown' }
  if (/^pienso$/i.test(text) && (isOf(before) || ['search', 'need', 'buy', 'a'].includes(tagBefore)))
    return { ...unit, tag: 'content', value: '' }
  const isOption = ['color', 'material', 'size'].includes(next?.tag ?? '')
  if (tag === 'one' && /^(?:el|la|los|las) de$/i.test(text) && isOption)
    return { ...unit, tag: 'the', value: '' }
  if (tag === 'merchant' && ['one', 'the'].includes(tagBefore) && matchesShown(text, spoken))
    return { ...unit, tag: 'content' }
  if (text === 'A' && isThing(before)) return { ...unit, tag: 'content', value: '' }
  if (tag === 'filler' && tagBefore === 'for' && infinitive.test(text) && isThing(next))
    return { ...unit, tag: 'joiner', value: '' }
  return null
}

const infinitive = /^(?:hacer|ir|tener|ser|estar)$/i
const half = /^medi[oa]$/i

/** "Plástico de burbujas", "madera para la chimenea": a material that is the thing itself. */
function isStuff({ tag, text }: Unit, read: readonly Unit[], next: Unit | undefined): boolean {
  if (tag !== 'material' || /^de /i.test(text) || isOf(read.at(-1)) || read.at(-1)?.tag === 'in') return false
  return (
    !read.some(isThing) && (next?.tag === 'for' || isOf(next)) && !read.some((unit) => unit.tag === 'without')
  )
}

const alsoThings =
  /^(?:menta|teja|oro|plata|naranjas?|lavanda|mostaza|oliva|coral|rosas?|violetas?|marfil|esmeralda|turquesa|crema|lila|plomo|hueso|castaño|celeste|cielo|arena)$/i

function isOf(unit: Unit | undefined): boolean {
  return /^(?:de|d|del)$/i.test(unit?.text ?? '')
}

function isArticle(unit: Unit | undefined): boolean {
  return /^(?:la|el|los|las)$/i.test(unit?.text ?? '')
}

function shadeOf({ text }: Unit): 'light' | 'dark' | null {
  if (/^(?:clar(?:o|a|os|as|it[oa]s?)|pastel|pálid[oa]s?)$/i.test(text)) return 'light'
  return /^oscur(?:o|a|os|as|it[oa]s?)$/i.test(text) ? 'dark' : null
}

function shaded(color: string, shade: string): string {
  return /^(?:light|dark) /.test(color) ? color : `${shade} ${color}`
}

/** Shoes and clothes have such numbers. */
function isSizeNumber(unit: Unit | undefined): boolean {
  return (
    unit?.tag === 'number' &&
    /^\d\d(?:[.,]5)?$/.test(unit.text) &&
    Number(unit.value) >= 20 &&
    Number(unit.value) <= 60
  )
}

/** Nothing that makes a price, a measure or a count of the number before it. */
function isPlain(unit: Unit | undefined): boolean {
  return (
    unit === undefined ||
    ![
      'currency',
      'cent',
      'unit',
      'piece',
      'number',
      'to',
      'nth',
      'max',
      'maxafter',
      'content',
      'product',
    ].includes(unit.tag)
  )
}

/** "Botas rosas 39": nobody counts behind the thing. */
function isWrittenSize(units: readonly Unit[], at: number, read: readonly Unit[]): boolean {
  const [unit, before] = [units[at] as Unit, read.at(-1)]
  if (!isSizeNumber(unit) || Number(unit.value) < 33 || !isPlain(units[at + 1]) || !read.some(isThing))
    return false
  return (
    before?.tag === 'color' ||
    before?.tag === 'material' ||
    (isThing(before) && /^\p{Ll}+s$/u.test(before?.text ?? ''))
  )
}

const middle = /^(?:medio|mediano|mediana)$/i
const middlePlace = /^(?:(?:el|la|los|las) )?(?:del medio|de en ?medio|del centro|de la mitad|central)$/i

function middleOf(unit: Unit, { shown }: Spoken): Unit {
  return { ...unit, tag: 'place', value: String(Math.max(1, Math.ceil(shown.length / 2))) }
}
