import { ok, type Result, refused } from '../../core/result.ts'
import type { SettingSpec } from './settings-table.ts'

type Value = string | number | string[] | null

/** A setting's value, or one sentence about what is wrong and what to set. An empty text is a setting that is not set. */
export function parseSetting(
  name: string,
  spec: SettingSpec,
  given: string | undefined,
): Result<Value, string> {
  const text = given?.trim() || spec.default
  if (text === null) return ok(null)
  const shown = spec.secret ? 'what it is' : JSON.stringify(text)
  const { kind } = spec
  switch (kind.type) {
    case 'text':
      return ok(text)
    case 'list':
      return ok(
        text
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      )
    case 'choice':
      return kind.choices.includes(text)
        ? ok(text)
        : refused(`${name} must be ${orList(kind.choices)}, not ${shown}`)
    case 'integer': {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      if (value >= kind.min && value <= kind.max) return ok(value)
      return refused(`${name} must be a whole number from ${kind.min} to ${kind.max}, not ${shown}`)
    }
    case 'url':
      if (URL.canParse(text) && kind.protocols.includes(new URL(text).protocol))
        return ok(spec.secret ? text : withoutSlash(text))
      return refused(
        `${name} must be a URL that begins with ${orList(kind.protocols.map((one) => `${one}//`))}, not ${shown}`,
      )
    default:
      return kind satisfies never
  }
}

/** The known name that a wrong one was probably meant to be, or null. */
export function suggestName(wrong: string, known: readonly string[]): string | null {
  let best: { name: string; distance: number } | null = null
  for (const name of known) {
    const distance = editDistance(wrong, name)
    if (best === null || distance < best.distance) best = { name, distance }
  }
  return best !== null && best.distance <= 4 ? best.name : null
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

function orList(choices: readonly string[]): string {
  if (choices.length < 2) return choices.join('')
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
