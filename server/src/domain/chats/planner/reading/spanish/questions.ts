import type { Spoken } from '../../understood.ts'
import { matchesShown } from '../shown-words.ts'
import type { Unit } from '../unit.ts'
import { asFiller, isThing } from './unit-kinds.ts'

/** Verbs by which somebody asks about a thing before them. */
const asked =
  /^(?:tra[ei]n?|trae|tiene|tienen|lleva|llevan|incluyen?|sirven?|pesan?|miden?|duran?|aguantan?|funcionan?|vienen?|caben?|son|es|está|están|cuestan?|valen?|salen?|hacen?|parecen?|va|van|queda|quedan|resisten?|soportan?|necesitan?|gastan?|consumen?|suenan?|calientan?|enfrían?|encogen?|destiñen?|pican?|huelen?|cu[aá]nt[oa]s?|qu[eé] tal|será|serán|viene|puede|pueden|se puede|se pueden|tendrá|tendrán|traerá|cierran?|pliegan?|doblan?|aprietan?|transpiran?|corta|cortan|carga|cargan)$/i

/**
 * "La azul cuánto pesa", "¿los más caros traen estuche?", "¿qué garantía trae el más barato?": a question about what was shown, whose words are
 * nothing that is looked for.
 */
export function withQuestions(units: readonly Unit[], spoken: Spoken): readonly Unit[] {
  if (
    spoken.shown.length === 0 ||
    units.some(({ tag }) => tag === 'buy' || tag === 'nobuy' || tag === 'compare' || tag === 'which')
  )
    return units
  const ends = clauseEnds(units)
  let from = 0
  const read: Unit[] = []
  for (const end of ends) {
    read.push(...asShown(units.slice(from, end), spoken))
    from = end
  }
  return read
}

function clauseEnds(units: readonly Unit[]): number[] {
  return [...units.flatMap(({ tag }, at) => (tag === 'mark' || tag === 'and' ? [at + 1] : [])), units.length]
}

function asShown(clause: readonly Unit[], spoken: Spoken): readonly Unit[] {
  const verb = clause.findIndex(({ text, tag }) => asked.test(text) && tag !== 'product')
  if (verb < 0) return clause
  const before = clause.slice(0, verb)
  const after = clause.slice(verb + 1)
  const show: Unit = { ...(clause[verb] as Unit), tag: 'show', value: '' }
  const isOption = after.some(({ tag }) => tag === 'color' || tag === 'size' || tag === 'material')
  if (pointsAt(before, spoken)) {
    // "¿Esa viene en morado?"
    return isOption
      ? [...before, asFiller(clause[verb] as Unit), ...after]
      : [...before, show, ...after.map(asMeant)]
  }
  const isQuestion = /^(?:qu[eé]|cu[aá]nt[oa]s?|c[oó]mo|de qu[eé])$/i.test(
    before[0]?.text ?? clause[0]?.text ?? '',
  )
  return isQuestion && pointsAt(after, spoken) ? [...before.map(asMeant), show, ...after] : clause
}

/** Whether it speaks of one of the things that were shown, and of nothing else. */
function pointsAt(units: readonly Unit[], spoken: Spoken): boolean {
  if (units.some(({ tag }) => tag === 'search' || tag === 'need' || tag === 'a')) return false
  const names = units.filter(isThing)
  if (names.length > 0) return names.some(({ text }) => matchesShown(text, spoken)) && names.length < 4
  const head = units.findIndex(({ tag }) => tag === 'the' || tag === 'it' || tag === 'one')
  return units.some(
    ({ tag }, at) =>
      tag === 'place' ||
      tag === 'extreme' ||
      tag === 'it' ||
      (head >= 0 && at > head && ['color', 'material', 'size'].includes(tag)),
  )
}

function asMeant(unit: Unit): Unit {
  return unit.tag === 'mark' || unit.tag === 'and' ? unit : asFiller(unit)
}
