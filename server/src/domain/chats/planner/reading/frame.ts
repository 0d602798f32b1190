import type { Language, Options, Price, Spoken, Terms, Wish } from '../understood.ts'
import { withWanted } from './french/nouns.ts'
import { isAskedOf, isOnlyFrom } from './german/merchant-alone.ts'
import type { Tag } from './lexicon.ts'
import { readQuery } from './query.ts'
import type { Unit } from './unit.ts'

/** What a part of a message says, before it is decided which wish that is. */
export type Frame = {
  readonly language: Language
  readonly tags: ReadonlySet<Tag>
  readonly units: readonly Unit[]
  readonly options: Options
  readonly terms: Terms
  readonly quantity: number | null
  readonly place: number | null
  readonly extreme: Extreme | null
  /** The words to search by, and whether they are "the …" rather than "a …". */
  readonly query: string
  readonly isDefinite: boolean
  /** What is called by its name, as things are that one has: "the kettle", "my shoes". */
  readonly named: string
  /** "The blue one": an option that points at something. */
  readonly isPointing: boolean
}

type Extreme = Extract<Extract<Wish, { action: 'show' }>['which'], { by: 'extreme' }>['extreme']

export function frameOf(source: string, all: readonly Unit[], language: Language, spoken: Spoken): Frame {
  const merchant = takeMerchant(all, spoken)
  const without = takeWithout(source, merchant.units, spoken)
  const read = withDenials(withSizes(without.units.map(asBrand).map(asPartOf), spoken))
  const units = language === 'fr' ? withWanted(read, spoken) : read
  const tags = new Set(units.map((unit) => unit.tag))
  const lastOf = (tag: Tag) => units.findLast((unit) => unit.tag === tag)?.value ?? null
  const options: { color?: string; size?: string; material?: string } = {}
  for (const option of ['color', 'size', 'material'] as const) {
    const value = lastOf(option)
    if (value !== null) options[option] = value
  }
  const priceOf = (tag: 'maxprice' | 'minprice'): Price | undefined =>
    units.findLast((unit) => unit.tag === tag)?.price
  const [max, min, sort] = [priceOf('maxprice'), priceOf('minprice'), lastOf('sort') as Terms['sort'] | null]
  const quantity = lastOf('quantity')
  const extreme = lastOf('extreme') as Extreme | null
  // "The cheapest ones first" orders, and points at nothing.
  const isOrdered =
    extreme !== null &&
    units.some(({ tag, text }) => (tag === 'place' || tag === 'filler') && foremost.test(text))
  if (isOrdered) tags.add('sorting')
  const said = isOrdered ? null : lastOf('place')
  const place = placeOf(said, spoken)
  return {
    language,
    tags,
    units,
    options,
    terms: {
      ...(max && { max }),
      ...(min && { min }),
      ...(sort && { sort }),
      ...(merchant.name !== null && { merchant: merchant.name }),
      ...(without.words.length > 0 && { without: without.words }),
    },
    quantity: quantity === null ? null : Number(quantity),
    place,
    extreme,
    query: readQuery(source, units) || materialWanted(units, spoken),
    isDefinite: isDefinite(units),
    named: readNamed(source, units),
    isPointing: isPointing(units, spoken),
  }
}

const foremost = /^(?:first|d['’]abord|tout d['’]abord|zuerst|als erstes|primero)$/i

/** "The middle one" is one of so many as were shown. */
function placeOf(said: string | null, { shown }: Spoken): number | null {
  if (said === 'middle') return shown.length === 0 ? null : Math.ceil(shown.length / 2)
  return said === null ? null : Number(said)
}

/** "I need merino wool": a material is what is sought where nothing is that is made of it. */
function materialWanted(units: readonly Unit[], { shown, hasSubject, asked }: Spoken): string {
  if (shown.length > 0 || hasSubject || asked !== null) return ''
  const isWanted = units.some(({ tag }) => tag === 'need' || tag === 'search')
  return isWanted ? (units.findLast(({ tag }) => tag === 'material')?.text ?? '') : ''
}

export function has({ tags }: Frame, ...wanted: Tag[]): boolean {
  return wanted.some((tag) => tags.has(tag))
}

/** The later words win: "the red one, no, the blue one", "two, no, three". */
export function corrected(first: Frame, then: Frame): Frame {
  const hasPoint = then.place !== null || then.extreme !== null || then.isPointing
  return {
    language: then.language,
    tags: new Set([...first.tags, ...then.tags]),
    units: [...first.units, ...then.units],
    options: hasPoint && then.query === '' ? then.options : { ...first.options, ...then.options },
    terms: { ...first.terms, ...then.terms },
    quantity: then.quantity ?? first.quantity,
    place: hasPoint ? then.place : first.place,
    extreme: hasPoint ? then.extreme : first.extreme,
    query: then.query || first.query,
    isDefinite: then.query ? then.isDefinite : first.isDefinite,
    named: then.named || first.named,
    isPointing: then.isPointing || (first.isPointing && !hasPoint),
  }
}

function readNamed(source: string, units: readonly Unit[]): string {
  const isName = ({ tag }: Unit) => tag === 'content' || tag === 'product'
  const first = units.findIndex((unit, at) => {
    if (!isName(unit)) return false
    if (/[\u3040-\u30ff\u3400-\u9fff]/u.test(unit.text)) return unit.text.length > 1
    const determiner = units.slice(Math.max(0, at - 4), at).findLast((each) => !isAttribute(each))
    const isAlone = units.filter(isName).length < 3 && !units.some(({ tag }) => tag === 'mark')
    return ['the', 'my'].includes(determiner?.tag ?? '') || determiner?.value === 'this' || isAlone
  })
  if (first < 0) return ''
  const end = units.findIndex(
    ({ tag }, at) => at > first && !['content', 'product', 'joiner', 'unit'].includes(tag),
  )
  return readQuery(source, units.slice(first, end < 0 ? undefined : end))
}

function isDefinite(units: readonly Unit[]): boolean {
  return units.some((unit, at) => {
    if (unit.tag !== 'the' && !(unit.tag === 'it' && unit.value === 'this') && !isThat(unit, units[at - 1]))
      return false
    const rest = units.slice(at + 1, at + 4)
    const next = rest.find((each) => !isAttribute(each))
    return next?.tag === 'content' || next?.tag === 'product'
  })
}

/** "Buy me that red kettle": not the "that" of "a kettle that whistles". */
function isThat({ text }: Unit, before: Unit | undefined): boolean {
  return /^(?:that|those|these)$/i.test(text) && before?.tag !== 'content' && before?.tag !== 'product'
}

function isAttribute({ tag }: Unit): boolean {
  return (
    tag === 'color' ||
    tag === 'material' ||
    tag === 'size' ||
    tag === 'extreme' ||
    tag === 'place' ||
    tag === 'filler' ||
    tag === 'from' ||
    tag === 'joiner'
  )
}

/** "The blue one", "der blaue", "el de acero", "青い方": an option after an article, or before "one", and nothing that it is an option of. */
function isPointing(units: readonly Unit[], spoken: Spoken): boolean {
  if (units.some(({ tag }) => tag === 'content' || tag === 'product'))
    return spoken.shown.length > 0 && pointsWithOne(units)
  const at = units.findIndex(({ tag }) => tag === 'color' || tag === 'material' || tag === 'size')
  if (at < 0) return false
  if (/の$/.test(units[at]?.text ?? '') && units.some(({ tag }) => tag === 'buy')) return true
  const before = units
    .slice(0, at)
    .findLast(({ tag }) => tag !== 'joiner' && tag !== 'filler' && tag !== 'for')
  // "Celle en bleu".
  if (before?.tag === 'in' && /^ce(?:lui|lle|ux|lles)$/i.test(units[units.indexOf(before) - 1]?.text ?? ''))
    return true
  if (before?.tag === 'in' || before?.tag === 'a') return false
  if (before?.tag === 'the') return true
  return pointsWithOne(units) && before?.tag !== 'more'
}

function pointsWithOne(units: readonly Unit[]): boolean {
  return units.some(({ tag, value }, at) => {
    const isMany = value === 'many' && !units.some(({ tag: other }) => other === 'buy')
    if (tag !== 'one' || isMany) return false
    return units[at - 1] !== undefined && isAttribute(units[at - 1] as Unit)
  })
}

/** A merchant after "from", "bei", "chez", "en": one that everybody knows, a domain, or a name that begins with a capital. */
function takeMerchant(units: readonly Unit[], spoken: Spoken): { name: string | null; units: Unit[] } {
  for (const [at, unit] of units.entries()) {
    if (isAskedOf(units, at)) return { name: unit.text, units: units.toSpliced(at, 1) }
    if (isOnlyFrom(units, at, spoken)) return { name: unit.text, units: units.toSpliced(at - 1, 2) }
    const before = units[at - 1]
    const after = units[at + 1]
    if (unit.tag === 'merchant') {
      // "See whether Wayfair carries a rack": who sells it.
      const does = /^ils?$/i.test(after?.text ?? '') ? units[at + 2] : after
      if (selling.test(does?.text ?? '')) return { name: unit.text, units: units.toSpliced(at, 1) }
      const isNamed = before && ['from', 'in', 'joiner', 'the'].includes(before.tag)
      const isPlace = after && /^(?:で|の|に|から|だけ|のみ|なら|さん)/u.test(after.text)
      if (isNamed || isPlace) return { name: unit.text, units: units.toSpliced(isNamed ? at - 1 : at, 2) }
      if (isSeller(unit, before, after)) return { name: unit.text, units: units.toSpliced(at, 1) }
    }
    if (unit.tag === 'content' && isDomain(unit.text))
      return { name: unit.text, units: units.toSpliced(at, 1) }
    if (unit.tag !== 'from' && unit.tag !== 'in' && unit.tag !== 'joiner') continue
    const last = endOfName(units, at, unit)
    if (last <= at) continue
    const name = units.slice(at + 1, last + 1).filter(({ tag }) => tag !== 'mark')
    return { name: name.map(({ text }) => text).join(' '), units: units.toSpliced(at, last - at + 1) }
  }
  return { name: null, units: units.map(asContentMerchant) }
}

/** "Has Argos got any", "try Currys", "on my list: Amazon": a shop that nothing is called after. */
function isSeller(unit: Unit, before: Unit | undefined, after: Unit | undefined): boolean {
  const isAsked = /(?:^| )(?:has|have|does|do|can|is|will|try|check|at|look at|hat|gibt)$/i.test(
    before?.text ?? '',
  )
  const isWord = commonNames.test(unit.text)
  if (isWord && (!/^\p{Lu}/u.test(unit.text) || !isAsked)) return false
  return isAsked || (after?.tag !== 'content' && after?.tag !== 'product' && before?.tag !== 'a')
}

/** Names of shops that are words as well. */
const commonNames = /^(?:target|next|boots|otto|rei|currys?)$/i

const selling =
  /^(?:carries|sells|stocks|has|führt|verkauft|hat|anbietet|bietet|a|ont|vend|vendent|propose|proposent|fait|font|aurait|auraient|vende|tiene)$/i

/** Where the name after a preposition ends; the preposition's own place where no name follows. */
function endOfName(units: readonly Unit[], at: number, unit: Unit): number {
  const next = units[at + 1]
  if (next?.tag !== 'content' && next?.tag !== 'merchant') return at
  if (isDomain(next.text)) return at + 1
  if (unit.tag !== 'from' || unit.value === 'known') return at
  if (unit.value === 'name' && !/^\p{Lu}/u.test(next.text)) return at
  let last = at + 1
  // In German every noun has a capital.
  while (
    next.tag !== 'merchant' &&
    units[last + 1]?.tag === 'content' &&
    /^\p{Lu}/u.test(next.text) &&
    /^[\p{Lu}&]/u.test(units[last + 1]?.text ?? '')
  )
    last += 1
  return last
}

function isDomain(text: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,8}$/i.test(text) && text.length <= 100
}

function asContentMerchant(unit: Unit): Unit {
  if (unit.tag !== 'merchant') return unit
  return { ...unit, tag: unit.text === 'next' ? 'filler' : 'content' }
}

/** "ohne Plastik", "no plastic", "プラスチックなし": the words after (in Japanese before) what excludes them. */
function takeWithout(
  source: string,
  units: readonly Unit[],
  spoken: Spoken,
): { words: string[]; units: Unit[] } {
  const words: string[] = []
  let rest = [...units]
  const buys = units.some(({ tag }) => tag === 'buy')
  for (let rounds = 0; rounds < 5; rounds += 1) {
    const at = rest.findIndex(({ tag, value }, place) => {
      const isNo = tag === 'without' && /^(?:kein|aucun|pas |ni$|nicht|no )/i.test(rest[place]?.text ?? '')
      // "Keinen Wasserkocher kaufen" denies buying, and excludes no kettles.
      if (tag === 'without') return !(isNo && buys && !rest.slice(0, place).some(isExcluded))
      if (buys) return false
      return (
        tag === 'not' &&
        value !== 'verb' &&
        isExcluded(rest.slice(place + 1, place + 4).find((each) => each.tag !== 'filler')) &&
        (rest.length > 2 || spoken.shown.length > 0)
      )
    })
    const unit = rest[at]
    if (!unit) break
    if (unit.value === 'before') {
      const before = rest[at - 1]
      if (before && isExcluded(before)) words.push(before.text)
      rest = before && isExcluded(before) ? rest.toSpliced(at - 1, 2) : rest.toSpliced(at, 1)
      continue
    }
    const taken = excludedAfter(rest, at)
    if (taken.spans.length === 0) {
      // What excludes nothing denies what is said: "… but no".
      rest = rest.with(at, { ...unit, tag: 'not', value: 'verb' })
      continue
    }
    for (const [from, to] of taken.spans) words.push(source.slice(rest[from]?.start, rest[to]?.end))
    rest = rest.toSpliced(at, taken.end - at)
  }
  return { words, units: rest }
}

function isExcluded(unit: Unit | undefined): boolean {
  return unit !== undefined && ['content', 'product', 'material', 'color'].includes(unit.tag)
}

function excludedAfter(units: readonly Unit[], at: number): { spans: [number, number][]; end: number } {
  const spans: [number, number][] = []
  let place = at + 1
  let end = at + 1
  while (place < units.length) {
    const tag = units[place]?.tag
    if (isExcluded(units[place])) {
      const previous = spans.at(-1)
      if (previous && previous[1] === place - 1) previous[1] = place
      else spans.push([place, place])
      end = place + 1
    } else if (
      tag === 'mark' ||
      !['a', 'the', 'and', 'joiner', 'filler', 'my', 'not', 'without'].includes(tag ?? '')
    )
      break
    else if (tag === 'joiner' && spans.length > 0) break
    place += 1
  }
  return { spans, end }
}

/** What excludes nothing denies: "kein Kauf", "pas de commande". */
function withDenials(units: readonly Unit[]): Unit[] {
  return units.map((unit) =>
    unit.tag === 'without' && unit.value !== 'before' ? { ...unit, tag: 'not' } : unit,
  )
}

/** "The one from Braun" names a brand. */
function asBrand(unit: Unit, at: number, units: readonly Unit[]): Unit {
  const isNamed = unit.tag === 'color' && /^(?:from|by|von|bei|chez)$/i.test(units[at - 1]?.text ?? '')
  return isNamed ? { ...unit, tag: 'content' } : unit
}

/** "A stick with a silver handle": what a part of the thing is made of is no option of the thing. */
function asPartOf(unit: Unit, at: number, units: readonly Unit[]): Unit {
  if (unit.tag !== 'color' && unit.tag !== 'material') return unit
  const before = units.slice(Math.max(0, at - 2), at).findLast(({ tag }) => tag !== 'a' && tag !== 'the')
  const isPart = /^(?:with|mit|avec|con)$/i.test(before?.text ?? '') && units[at + 1]?.tag === 'content'
  const hasWhole = units.slice(0, at - 1).some(({ tag }) => tag === 'content' || tag === 'product')
  return isPart && hasWhole ? { ...unit, tag: 'content' } : unit
}

/** Letters are sizes where they are written as sizes are: "M", "size m", "in l"; "xl" always. */
function withSizes(units: readonly Unit[], spoken: Spoken): Unit[] {
  const sized: Unit[] = []
  for (const [at, unit] of units.entries()) {
    const before = units[at - 1]
    const isLetter =
      /^(?:xxs|xs|s|m|l|xl|xxl|xxxl|[2-6]xl)$/i.test(unit.text) &&
      (unit.tag === 'content' || unit.tag === 'unit' || unit.tag === 'filler')
    const after = units[at + 1]
    const isSaid =
      unit.text.length > 1 ||
      unit.text === unit.text.toUpperCase() ||
      spoken.asked === 'size' ||
      before?.tag === 'sizeword' ||
      before?.tag === 'in' ||
      after?.tag === 'sizeword'
    if (isLetter && isSaid) sized.push({ ...unit, tag: 'size', value: unit.text.toUpperCase() })
    else if (
      unit.tag === 'sizeword' &&
      after?.tag === 'content' &&
      /^[\p{L}\d]{1,4}$/u.test(after.text) &&
      /[\d]|^.$/u.test(after.text)
    )
      sized.push(unit)
    else if (unit.tag === 'content' && before?.tag === 'sizeword' && /^\d+\p{L}{0,2}$/u.test(unit.text)) {
      sized.push({ ...unit, tag: 'size', value: unit.text.toUpperCase() })
    } else sized.push(unit)
  }
  return sized
}
