import type { Call } from '../json-server.ts'
import { StripeError } from './stripe-error.ts'

/** A body as Stripe takes it: `application/x-www-form-urlencoded`, with brackets in the names. */
export type Form = {
  text(name: string): string | null
  required(name: string): string
  /** A whole number of minor units or seconds. */
  number(name: string): number | null
  requiredNumber(name: string): number
  group(name: string): Record<string, string>
}

export function formOf(call: Call): Form {
  const fields = new URLSearchParams(call.raw.toString('utf8'))
  const text = (name: string) => fields.get(name)
  const number = (name: string) => {
    const value = text(name)
    if (value === null) return null
    if (!/^\d{1,12}$/.test(value))
      throw new StripeError(400, {
        code: 'parameter_invalid_integer',
        param: name,
        message: `Invalid integer: ${name}`,
      })
    return Number(value)
  }
  const given = <T>(name: string, value: T | null): T => {
    if (value !== null) return value
    throw new StripeError(400, {
      code: 'parameter_missing',
      param: name,
      message: `Missing required param: ${name}.`,
    })
  }
  return {
    text,
    number,
    required: (name) => given(name, text(name)),
    requiredNumber: (name) => given(name, number(name)),
    group: (name) =>
      Object.fromEntries(
        [...fields].flatMap(([full, value]) =>
          full.startsWith(`${name}[`) && full.endsWith(']') ? [[full.slice(name.length + 1, -1), value]] : [],
        ),
      ),
  }
}
