import type { Spoken } from '../../understood.ts'
import { matchesShown } from '../shown-words.ts'
import type { Unit } from '../unit.ts'

const having = /^(?:führt|verkauft|hat|anbietet|bietet|habt|haben)$/i

/** "Was hat Galeria", "was Galeria hat": who has what is asked for. */
export function isAskedOf(units: readonly Unit[], at: number): boolean {
  const unit = units[at]
  if (unit?.tag !== 'content' && unit?.tag !== 'merchant') return false
  const before = units.slice(Math.max(0, at - 3), at).map(({ text }) => text.toLowerCase())
  if (before.at(-1) === 'was') return units.slice(at + 1, at + 5).some(({ text }) => having.test(text))
  return before.includes('was') && having.test(before.at(-1) ?? '')
}

/** "Nur welche von Thomann": a name after "from" that no title has, and nothing else to search by. */
export function isOnlyFrom(units: readonly Unit[], at: number, spoken: Spoken): boolean {
  const unit = units[at]
  if (unit?.tag !== 'content' || units[at - 1]?.tag !== 'from' || spoken.shown.length === 0) return false
  const isOnly = units.every(
    (each, place) => place === at || (each.tag !== 'content' && each.tag !== 'product'),
  )
  return isOnly && !units.some(({ tag }) => tag === 'the') && !matchesShown(unit.text, spoken)
}
