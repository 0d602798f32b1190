import type { Tag } from './lexicon.ts'
import type { Unit } from './unit.ts'

/** "If it is no trouble, …", "…, weil ich friere": what goes with a wish and is none. Such a clause ends at a mark. */
export function withoutAsides(units: readonly Unit[]): Unit[] {
  let isAside = false
  let isBuying = false
  let skipped = -1
  return units.flatMap((unit, at): Unit[] => {
    if (at <= skipped) return []
    if (unit.tag === 'mark' || unit.tag === 'oops') isAside = false
    else if (unit.tag === 'aside') {
      const clause = clauseAt(units, at)
      const polite = politeEnd(clause)
      if (polite > 0) {
        skipped = at + polite
        return []
      }
      isAside = !clause.some(({ tag }) => wanting.has(tag))
      // "Buy it if it is cheap": what only a person can judge is no order.
      const isCondition =
        isBuying && !clause.some(({ tag }) => tag === 'maxprice') && conditional.test(unit.text)
      // "If it gets cheaper I buy two": so does a condition before it, unless it only asks politely.
      const isDoubt =
        conditional.test(unit.text) &&
        !clause.some(({ tag, text }) => tag === 'maxprice' || tag === 'buy' || addressing.test(text)) &&
        ordersAfter(units, at)
      return isCondition || isDoubt ? [{ ...unit, tag: 'hypo' }] : []
    }
    isBuying = isBuying || unit.tag === 'buy'
    return !isAside || keptInAsides.has(unit.tag) ? [unit] : []
  })
}

const manners =
  /(?:^| )(?:trouble|bother|hassle|mind|okay?|alright|all right|possible|convenient|too much to ask)(?: |$)/i

/** "If it is not too much bother I should like …": how far manners reach where no mark ends them; 0 where it is a condition. */
function politeEnd(clause: readonly Unit[]): number {
  const wished = clause.findIndex(({ tag }) => wanting.has(tag) || tag === 'buy')
  if (wished < 1) return 0
  const said = clause.slice(0, wished)
  const isPlain = said.every(
    ({ tag, value }) => value !== 'verb' && ['filler', 'not', 'it', 'yes', 'hypo', 'content'].includes(tag),
  )
  return isPlain && manners.test(said.map(({ text }) => text).join(' ')) ? wished : 0
}

const addressing =
  /^(?:you|u|du|dir|sie|ihnen|ihr|tu|te|t'|vous|usted|puedes|puede|possible|möglich|posible)(?: |$)/i

/** Whether the sentence of a condition goes on with words of buying. */
function ordersAfter(units: readonly Unit[], at: number): boolean {
  const rest = units.slice(at + 1, at + 40)
  const end = rest.findIndex(({ tag, value }) => tag === 'mark' && /[.!?\n;]/.test(value))
  return (end < 0 ? rest : rest.slice(0, end)).some(({ tag }) => tag === 'buy')
}

const conditional = /^(?:if|wenn|wenn'?s|sobald|falls|sofern|si|unless)$/i
const wanting: ReadonlySet<Tag> = new Set([
  'search',
  'need',
  'show',
  'cancel',
  'return',
  'follow',
  'change',
] satisfies Tag[])

/** "娘が入学するので": a reason that stands before the wish. */
export function withoutReasons(units: readonly Unit[]): readonly Unit[] {
  const last = units.findLastIndex(({ tag, value }) => tag === 'aside' && value === 'before')
  if (last < 0) return units
  const isAll = !units.slice(last).some(({ tag }) => tag === 'content' || tag === 'product')
  if (isAll) {
    const isDone = units
      .slice(last)
      .some(({ tag }) => tag === 'return' || tag === 'cancel' || tag === 'retry')
    return units.filter(
      ({ tag, value }, at) =>
        (tag !== 'aside' || value !== 'before') && !(isDone && at < last && tag === 'content'),
    )
  }
  return units.filter(
    ({ tag }, at) => at > last || !['content', 'product', 'whom', 'joiner', 'aside'].includes(tag),
  )
}

/** The units up to the next mark, as far as a clause reaches. */
function clauseAt(units: readonly Unit[], at: number): readonly Unit[] {
  const rest = units.slice(at + 1, at + 40)
  const end = rest.findIndex(({ tag }) => tag === 'mark')
  return end < 0 ? rest : rest.slice(0, end)
}

const keptInAsides: ReadonlySet<Tag> = new Set([
  'maxprice',
  'minprice',
  'hypo',
  'nobuy',
  'buy',
  'cancel',
  'return',
  'search',
  'limit',
  'address',
  'card',
] satisfies Tag[])
