import type { JsonValue } from '../schema/strict-json.ts'

/** The value that a JSON pointer (RFC 6901) names; undefined: there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  return tokensOf(pointer).reduce<unknown>((value, token) => memberOf(value, token), document)
}

/** The document with another value at the pointer, which has to exist. */
export function withValueAt(document: unknown, pointer: string, value: JsonValue): unknown {
  const [token, ...rest] = tokensOf(pointer)
  if (token === undefined) return value
  const below = rest.map((one) => `/${one.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const inner = withValueAt(memberOf(document, token), below, value)
  if (Array.isArray(document))
    return document.map((member, index) => (index === Number(token) ? inner : member))
  if (typeof document === 'object' && document !== null) return { ...document, [token]: inner }
  throw new Error('a pointer that leads nowhere was to be written to')
}

export function isPointer(text: string): boolean {
  return text.length <= 200 && /^(?:\/(?:[^~/]|~0|~1)*)+$/.test(text)
}

function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function memberOf(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d{0,8})$/.test(token) ? value[Number(token)] : undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined
  return Reflect.get(value, token)
}
