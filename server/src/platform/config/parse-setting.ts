import { ok, type Result, refused } from '../../core/result.ts'
import type { SettingSpec } from './settings-table.ts'

type Value = string | number | string[] | null

/** A setting's value, or one sentence that says what is wrong and what to set. An empty text means that the setting is not set. */
export function parseSetting(
  name: string,
  spec: SettingSpec,
  given: string | undefined,
): Result<Value, string> {
  const text = given?.trim() || spec.default
  if (text === null) return ok(null)
  const shown = spec.secret ? 'its value' : JSON.stringify(withoutPassword(text))
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
      return parseUrl(name, kind, { text, shown, isSecret: spec.secret === true })
    default:
      return kind satisfies never
  }
}

type UrlText = { text: string; shown: string; isSecret: boolean }

function parseUrl(
  name: string,
  { protocols, isBase }: Extract<SettingSpec['kind'], { type: 'url' }>,
  { text, shown, isSecret }: UrlText,
): Result<string, string> {
  const beginnings = protocols.map((one) => `${one}//`)
  if (!beginnings.some((one) => text.toLowerCase().startsWith(one)))
    return refused(
      `${name} must be a URL that begins with ${orList(beginnings)}${isSecret ? '' : `, not ${shown}`}`,
    )
  if (!URL.canParse(text))
    return refused(
      `${name} is not a complete URL: a host must follow ${beginnings[0]} and, if there are any, user, password and @. ` +
        'Percent-encode special characters of the password',
    )
  const { username, password, search, hash } = new URL(text)
  if (!isBase) return ok(text)
  if (username !== '' || password !== '')
    return refused(`${name} must have no user and no password, because others see this URL`)
  if (search !== '' || hash !== '')
    return refused(`${name} must have no ? and no #, because paths are added to its end, not ${shown}`)
  return ok(withoutSlash(text))
}

/** A URL without its password; any other text unchanged. */
export function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/g, '//[redacted]@')
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
