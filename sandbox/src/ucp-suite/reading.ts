import { BadRequest, type Fields, isObject } from '../fields.ts'

/** Members of what the suite sends. What is left out or null is none; what has another shape is refused. */

export function part(from: Fields, name: string): Fields | undefined {
  const value = from[name] ?? undefined
  if (value !== undefined && !isObject(value)) throw new BadRequest(`${name} must be an object`)
  return value
}

export function parts(from: Fields, name: string): Fields[] | undefined {
  const value = from[name] ?? undefined
  if (value === undefined) return undefined
  if (!Array.isArray(value) || !value.every(isObject))
    throw new BadRequest(`${name} must be a list of objects`)
  return value
}

/** Of what the service answers, which has the shape of its release. */
export function firstOf(from: Fields | undefined, name: string): Fields | undefined {
  return from === undefined ? undefined : parts(from, name)?.[0]
}
