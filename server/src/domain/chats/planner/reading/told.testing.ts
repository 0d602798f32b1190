import type { Wish } from '../understood.ts'

/** A wish in a line, its slots in the order in which they are written. */
export function told({ action, ...slots }: Wish): string {
  const given = Object.entries(slots)
  const valued = given.filter(([, value]) => value !== true).map(([slot, value]) => `${slot}: ${say(value)}`)
  return [action, ...valued, ...given.filter(([, value]) => value === true).map(([slot]) => slot)].join('; ')
}

function say(value: unknown): string {
  if (Array.isArray(value)) return value.map(say).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  if ('amount' in value && 'currency' in value) return `${value.amount} ${value.currency ?? 'any'}`
  return Object.values(value).map(say).join(' ')
}
