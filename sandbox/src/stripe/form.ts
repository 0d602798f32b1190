import type { Call } from '../json-server.ts'
import { StripeError } from './stripe-error.ts'

/**
 * What a request says, as Stripe takes it: names with brackets, in the body of a POST and in the query of a GET. Each parameter that is asked
 * for here is known; what nobody has asked for by the end is a parameter that Stripe would not know.
 */
export type Form = {
  text(name: string): string | null
  required(name: string): string
  /** A whole number of minor units or seconds. */
  number(name: string): number | null
  requiredNumber(name: string): number
  flag(name: string): boolean | null
  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | null
  /** Names and texts, as in `metadata`. */
  group(name: string): Record<string, string>
  list(name: string): string[]
  /** Refuses what was not asked for. */
  end(): void
}

export function formOf(call: Call): Form {
  const fields = fieldsOf(call)
  const asked = new Set<string>()

  function all(matches: (name: string) => boolean): [string, string][] {
    const found = fields.filter(([name]) => matches(name))
    for (const [name] of found) asked.add(name)
    return found
  }
  const text = (name: string) => all((one) => one === name)[0]?.[1] ?? null
  const given = <T>(name: string, value: T | null): T => {
    if (value !== null) return value
    throw invalid('parameter_missing', name, `Missing required param: ${name}.`)
  }
  function number(name: string): number | null {
    const value = text(name)
    if (value === null) return null
    if (!/^-?\d{1,12}$/.test(value))
      throw invalid('parameter_invalid_integer', name, `Invalid integer: ${value}`)
    return Number(value)
  }
  function oneOf<Value extends string>(name: string, values: readonly Value[]): Value | null {
    const value = text(name)
    if (value === null) return null
    const known = values.find((one) => one === value)
    if (known !== undefined) return known
    throw new StripeError(400, {
      param: name,
      message: `Invalid ${name}: must be one of ${values.join(', ')}`,
    })
  }
  return {
    text,
    number,
    oneOf,
    required: (name) => given(name, text(name)),
    requiredNumber: (name) => given(name, number(name)),
    flag: (name) => {
      const value = oneOf(name, ['true', 'false'])
      return value === null ? null : value === 'true'
    },
    group: (name) =>
      Object.fromEntries(
        all((one) => one.startsWith(`${name}[`) && one.endsWith(']')).map(([full, value]) => [
          full.slice(name.length + 1, -1),
          value,
        ]),
      ),
    // Clients write the members of a list with their places, or without.
    list: (name) =>
      all((one) => one.startsWith(`${name}[`) && /^\[\d*\]$/.test(one.slice(name.length))).map(
        ([, value]) => value,
      ),
    end() {
      const [unknown] = fields.find(([name]) => !asked.has(name)) ?? []
      if (unknown !== undefined)
        throw invalid('parameter_unknown', unknown, `Received unknown parameter: ${unknown}`)
    },
  }
}

export function fieldsOf(call: Call): [string, string][] {
  const isPost = call.raw.length > 0
  return [...(isPost ? new URLSearchParams(call.raw.toString('utf8')) : call.query)]
}

function invalid(code: string, param: string, message: string): StripeError {
  return new StripeError(400, { code, param, message })
}
