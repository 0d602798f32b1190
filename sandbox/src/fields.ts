/** A fault in the request. The answer is this status with `{error: {code, message}}`, and nothing is remembered. */
export class BadRequest extends Error {
  readonly status: number
  readonly code: string

  constructor(message: string, code = 'invalid_request', status = 400) {
    super(message)
    this.status = status
    this.code = code
  }
}

export type Fields = Record<string, unknown>

export const AMOUNT_MAX = 1_000_000_000_000

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectField(from: Fields, name: string): Fields {
  const value = from[name]
  if (!isObject(value)) throw new BadRequest(`${name} must be an object`)
  return value
}

export function text(from: Fields, name: string): string {
  const value = from[name]
  if (typeof value !== 'string' || value.length === 0 || value.length > 2048) {
    throw new BadRequest(`${name} must be a string of 1 to 2048 characters`)
  }
  return value
}

export function optionalText(from: Fields, name: string): string | undefined {
  return from[name] === undefined || from[name] === null ? undefined : text(from, name)
}

export function integer(from: Fields, name: string, range: { min: number; max: number }): number {
  const value = from[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < range.min || value > range.max) {
    throw new BadRequest(`${name} must be an integer from ${range.min} to ${range.max}`)
  }
  return value
}

/** Minor units. At most 10^12, so that every sum of two amounts stays exact. */
export function amount(from: Fields, name: string, min = 0): number {
  return integer(from, name, { min, max: AMOUNT_MAX })
}

export function currency(from: Fields): string {
  const value = text(from, 'currency').toUpperCase()
  if (!/^[A-Z]{3}$/.test(value)) throw new BadRequest('currency must be a three-letter code, such as USD')
  return value
}
