import type { Unit } from '../unit.ts'

export function asFiller(unit: Unit): Unit {
  return { ...unit, tag: 'filler', value: '' }
}

export function isThing(unit: Unit | undefined): boolean {
  return unit?.tag === 'content' || unit?.tag === 'product'
}
