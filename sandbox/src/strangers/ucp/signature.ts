import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { isObject } from '../../fields.ts'

/** A request or an answer as RFC 9421 signs it. Names of headers are in lower case. */
export type Message = {
  headers: Readonly<Record<string, string | undefined>>
  body: Uint8Array
} & ({ kind: 'request'; method: string; url: URL } | { kind: 'response'; status: number })

export type SigningKey = { kid: string; privateKey: KeyObject }

/** The headers that sign a message with ES256: raw r||s, never DER. */
export function signatureHeaders(
  message: Message,
  { kid, privateKey }: SigningKey,
  also: readonly string[] = [],
): Record<string, string> {
  const digest: Record<string, string> =
    message.body.length > 0 ? { 'content-digest': digestOf(message.body) } : {}
  const whole = { ...message, headers: { ...message.headers, ...digest } }
  const names = [...requiredParts(whole), ...also]
  const created = Math.floor(Date.now() / 1000)
  const parameters = `(${names.map((name) => `"${name}"`).join(' ')});created=${created};keyid="${kid}"`
  const signed = sign('sha256', Buffer.from(baseOf(whole, names, parameters) ?? ''), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return {
    ...digest,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${signed.toString('base64')}:`,
  }
}

/**
 * Whether a message is signed by one of these keys. False: it carries no signature at all. A signature that leaves out a part that it
 * must cover is invalid here, so that the testimony shows it.
 */
export function checkSignature(message: Message, keys: readonly unknown[]): boolean | 'invalid' {
  const { headers, body } = message
  if (headers.signature === undefined && headers['signature-input'] === undefined) return false
  const digest = headers['content-digest']
  if (digest !== undefined && !digest.includes(digestOf(body))) return 'invalid'
  const inputs = [...(headers['signature-input'] ?? '').matchAll(/([a-z*][\w*.-]*)=(\(([^)]*)\)[^,]*)/g)]
  const isGood = inputs.some(([, label = '', parameters = '', list = '']) => {
    const names = [...list.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name)
    const base = baseOf(message, names, parameters.trim())
    if (base === undefined || requiredParts(message).some((name) => !names.includes(name))) return false
    const [, kid] = /;keyid="([^"]*)"/.exec(parameters) ?? []
    const signature = new RegExp(`(?:^|,)\\s*${label.replaceAll('*', '\\*')}=:([^:]*):`).exec(
      headers.signature ?? '',
    )
    const jwk = keys.find((one) => isObject(one) && one.kid === kid && one.use !== 'enc')
    return isObject(jwk) && signature !== null && isBy(jwk, base, Buffer.from(signature[1] ?? '', 'base64'))
  })
  return isGood || 'invalid'
}

function digestOf(body: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
}

function isBy(jwk: Record<string, unknown>, base: string, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return jwk.kty === 'OKP'
      ? verify(null, Buffer.from(base), key, signature)
      : verify('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

function requiredParts(message: Message): string[] {
  const ofBody = message.body.length > 0 ? ['content-digest', 'content-type'] : []
  if (message.kind === 'response') return ['@status', ...ofBody]
  const named = ['ucp-agent', 'idempotency-key'].filter((name) => message.headers[name] !== undefined)
  const query = message.url.search === '' ? [] : ['@query']
  return ['@method', '@authority', '@path', ...query, ...named, ...ofBody]
}

function baseOf(message: Message, names: readonly string[], parameters: string): string | undefined {
  const lines = names.map((name) => {
    const value = partOf(message, name)
    return value === undefined ? undefined : `"${name}": ${value}`
  })
  return lines.includes(undefined) ? undefined : [...lines, `"@signature-params": ${parameters}`].join('\n')
}

function partOf(message: Message, name: string): string | undefined {
  if (!name.startsWith('@')) return message.headers[name]?.trim()
  if (message.kind === 'response') return name === '@status' ? String(message.status) : undefined
  const { method, url } = message
  const derived: Record<string, string> = {
    '@method': method,
    '@authority': url.host,
    '@path': url.pathname,
    '@query': url.search === '' ? '?' : url.search,
    '@scheme': url.protocol.slice(0, -1),
    '@target-uri': url.href,
  }
  return derived[name]
}
