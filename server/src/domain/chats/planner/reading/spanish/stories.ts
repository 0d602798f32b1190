import type { Tag } from '../lexicon.ts'
import type { Unit } from '../unit.ts'
import { isThing } from './unit-kinds.ts'

/** What only a verb can follow: "se rompió", "nos mudamos", "no tenemos". */
const clitics = /^(?:me|se|nos|os|le|les|lo|no)$/i
const perfect = /^(?:he|has|ha|hemos|hab[eé]is|han|hab[ií]an?|hubiera)$/i
const participle = /(?:ado|ido|[rt]to|cho|sto)s?$/i
/** Endings that no noun has. */
const finite = /.{2}(?:ó|aron|ieron|ábamos|íamos|iendo)$/iu

/**
 * Verbs that no table has are what is told, and no word of the thing that is wished: "se me rompió la plancha", "una que no suba". What
 * follows "that" and such a verb says how a thing is to be or why it is wished: "una crema que hidrate la piel", "lejía, que no queda".
 */
export function withoutVerbs(units: readonly Unit[]): readonly Unit[] {
  const buys = units.some(({ tag }) => tag === 'buy')
  let ends: RegExp | null = null
  return units.map((unit, at) => {
    const [before, next] = [units[at - 1], units[at + 1]]
    if (ends !== null && having.test(unit.text)) return { ...unit, tag: 'filler', value: 'told' }
    if (
      closing.has(unit.tag) ||
      (ends && (unit.tag === 'mark' || unit.tag === 'and') && ends.test(unit.text))
    )
      ends = null
    const isThat = /^(?:que|q)$/i.test(unit.text)
    const isReason =
      at > 1 && because.test(next?.text ?? '') && units.slice(Math.max(0, at - 24), at).some(isSaid)
    if (isThat && ((before?.tag === 'mark' && /^,/.test(before.text)) || isReason)) ends = /[.!?;:\n]/
    const isVerb =
      unit.tag === 'content' &&
      /^(?:que|q)$/i.test(before?.text ?? '') &&
      (isNamed(units[at - 2]) || isFor(units[at - 2]))
    if (isVerb) ends ??= /./
    const isTold =
      unit.tag === 'content' &&
      (clitics.test(before?.text ?? '') ||
        finite.test(unit.text) ||
        (participle.test(unit.text) && perfect.test(before?.text ?? '')))
    if (unit.value === 'not' && next?.tag === 'content' && !buys) return { ...unit, tag: 'filler', value: '' }
    if (isTold || isVerb) return { ...unit, tag: 'filler', value: 'told' }
    if (/\.\w/.test(unit.text)) return unit
    const isDropped = ends !== null && (described.has(unit.tag) || (unit.tag === 'hypo' && !buys))
    return isDropped ? { ...unit, tag: 'filler', value: '' } : unit
  })
}

/** What begins a reason after "que": "el pago, que ya hay saldo". */
const because =
  /^(?:ya|luego|hoy|mañana|si|se|nos|est[aá]|estoy|est[aá]n|es|son|a[uú]n|todav[ií]a|ya no|no)$/i
const having = /^(?:hay|tengo|tenemos|queda|quedan|tiene|tienen)$/i

function isSaid({ tag }: Unit): boolean {
  return isWishing({ tag } as Unit) || ['retry', 'cancel', 'return', 'follow', 'show', 'why'].includes(tag)
}

const closing: ReadonlySet<Tag> = new Set([
  'oops',
  'search',
  'need',
  'show',
  'buy',
  'maxprice',
  'minprice',
] satisfies Tag[])
const described: ReadonlySet<Tag> = new Set([
  'content',
  'product',
  'material',
  'joiner',
  'for',
  'the',
  'a',
  'my',
  'in',
  'and',
  'whom',
  'reported',
] satisfies Tag[])

function isNamed(unit: Unit | undefined): boolean {
  return unit !== undefined && ['content', 'product', 'color', 'material', 'size'].includes(unit.tag)
}

/** "Uno que dure", "las que pasen de 100". */
function isFor(unit: Unit | undefined): boolean {
  return unit !== undefined && ['one', 'a', 'the', 'it', 'them', 'number', 'more'].includes(unit.tag)
}

type Clause = { readonly units: readonly Unit[]; readonly isTold: boolean }

/** "Se me rompió la plancha, ¿me ayudas a encontrar otra?": what is told is no wish, but may name what is wished. */
export function withoutStories(units: readonly Unit[]): readonly Unit[] {
  const clauses = clausesOf(units)
  if (!clauses.some(({ isTold }) => isTold)) return units
  const names = clauses.some(({ units: each, isTold }) => !isTold && each.some(isNaming))
  const wish = clauses.findIndex(({ units: each, isTold }) => !isTold && each.some(isWishing))
  if (!names && wish < 0) return units
  const told = names
    ? []
    : (clauses.slice(0, Math.max(0, wish)).find(({ units: each, isTold }) => isTold && each.some(isThing))
        ?.units ?? [])
  return clauses.flatMap(({ units: each, isTold }, place) => {
    if (isTold)
      return each.map((unit) => (unit.tag === 'mark' || /\.\w/.test(unit.text) ? unit : asFiller(unit)))
    return place === wish && told.length > 0 ? withThing(each, thingOf(told)) : each
  })
}

const adjective =
  /(?:ente|ante|able|ible|os[oa]|nuev[oa]|buen[oa]|mejor|automátic[oa]|eléctric[oa]|decente)s?$/iu

function isNaming(unit: Unit, at: number, units: readonly Unit[]): boolean {
  return (
    isThing(unit) && !(adjective.test(unit.text) && /^(?:una?|otr[oa])$/i.test(units[at - 1]?.text ?? ''))
  )
}

function asFiller(unit: Unit): Unit {
  return { ...unit, tag: 'filler', value: unit.value === 'told' ? 'told' : '' }
}

/** "Busca una", "encontrar otra": the thing stands behind the word that stands for it. */
function withThing(units: readonly Unit[], thing: readonly Unit[]): readonly Unit[] {
  const at = units.findIndex(({ text }) => /^(?:una?|un[oa]s|otr[oa]s?)$/i.test(text))
  const verb = units.findIndex(isWishing)
  if (at < 0) return units.toSpliced(verb + 1, 0, ...thing)
  // "Una resistente" describes, where "una hamaca" names another thing.
  if (isThing(units[at + 1]) && !adjective.test(units[at + 1]?.text ?? '')) return units
  const article: Unit = { ...(units[at] as Unit), tag: 'a', value: '' }
  return units.toSpliced(at, 1, article, ...thing)
}

/** The thing of a story with what describes it: what something was done to, else what did something. */
function thingOf(units: readonly Unit[]): readonly Unit[] {
  const verb = units.findIndex(({ value }) => value === 'told')
  const after = units.findIndex((unit, at) => at > verb && isThing(unit))
  const from = after < 0 ? units.findIndex(isThing) : after
  const rest = units.slice(from)
  const end = rest.findIndex(({ tag }) => !['content', 'product', 'joiner', 'unit', 'for'].includes(tag))
  const thing = end < 0 ? rest : rest.slice(0, end)
  return thing.slice(0, thing.findLastIndex(isThing) + 1)
}

function isWishing({ tag }: Unit): boolean {
  return tag === 'search' || tag === 'need' || tag === 'buy'
}

function clausesOf(units: readonly Unit[]): Clause[] {
  const clauses: Clause[] = []
  let clause: Unit[] = []
  const close = () => {
    if (clause.length === 0) return
    const isTold =
      clause.some(({ value }) => value === 'told') && !clause.some(({ tag }) => deciding.has(tag))
    clauses.push({ units: clause, isTold })
    clause = []
  }
  for (const unit of units) {
    if (unit.tag === 'and' || unit.tag === 'aside' || unit.tag === 'oops') close()
    clause.push(unit)
    if (unit.tag === 'mark') close()
  }
  close()
  return clauses
}

const deciding: ReadonlySet<Tag> = new Set([
  'search',
  'need',
  'show',
  'buy',
  'compare',
  'follow',
  'cancel',
  'return',
  'why',
  'retry',
  'fail',
  'help',
  'change',
  'address',
  'card',
  'limit',
  'person',
  'chat',
  'nobuy',
  'hypo',
  'past',
  'max',
  'min',
  'without',
  'cheaper',
  'oops',
  'purchase',
  'delivery',
] satisfies Tag[])
