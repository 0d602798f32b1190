import { type Item, parseDictionary, serializeItem, serializeMember } from './structured-fields.ts'

/** What is signed. Names of headers are in lower case; a header that occurs twice is joined by a comma and a space. */
export type Message = {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
} & (
  | { readonly kind: 'request'; readonly method: string; readonly url: string }
  | { readonly kind: 'response'; readonly status: number }
)

/** The components that a signature must cover; one that leaves any of them out counts as none. */
export function requiredComponents(message: Message): string[] {
  const withBody = message.body.length > 0 ? ['content-digest', 'content-type'] : []
  if (message.kind === 'response') return ['@status', ...withBody]
  const { headers } = message
  return [
    '@method',
    '@authority',
    '@path',
    ...(new URL(message.url).search === '' ? [] : ['@query']),
    ...['ucp-agent', 'signature-agent', 'idempotency-key'].filter((name) => headers[name] !== undefined),
    ...withBody,
  ]
}

/** The text that is signed: RFC 9421 section 2.5. Null: a component does not occur in the message, or is one that nobody here reads. */
export function signatureBase(
  message: Message,
  components: readonly Item[],
  parameters: string,
): string | null {
  const lines: string[] = []
  const names = new Set<string>()
  for (const component of components) {
    const name = serializeItem(component)
    const value = componentValue(message, component)
    if (value === null || names.has(name)) return null
    names.add(name)
    lines.push(`${name}: ${value}`)
  }
  return [...lines, `"@signature-params": ${parameters}`].join('\n')
}

function componentValue(message: Message, [name, parameters]: Item): string | null {
  if (typeof name !== 'string') return null
  if (name.startsWith('@')) return parameters.size > 0 ? null : derivedValue(message, name)
  const header = message.headers[name]?.trim()
  if (header === undefined) return null
  if (parameters.size === 0) return header
  const key = parameters.get('key')
  // One member of a dictionary, as `Signature-Agent` is signed. Every other parameter changes the value in a way that is not read here.
  if (parameters.size > 1 || typeof key !== 'string') return null
  const member = parseDictionary(header)?.get(key)
  return member ? serializeMember(member) : null
}

function derivedValue(message: Message, name: string): string | null {
  if (message.kind === 'response') return name === '@status' ? String(message.status) : null
  const url = new URL(message.url)
  switch (name) {
    case '@method':
      return message.method
    case '@authority':
      // Without the port where it is the one of the scheme.
      return url.host
    case '@path':
      return url.pathname
    case '@query':
      return url.search === '' ? '?' : url.search
    case '@scheme':
      return url.protocol.slice(0, -1)
    case '@target-uri':
      return url.href
    default:
      return null
  }
}
