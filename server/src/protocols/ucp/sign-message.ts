import { type KeyObject, sign } from 'node:crypto'
import { contentDigestOf } from './content-digest.ts'
import { type Message, requiredComponents, signatureBase } from './signed-components.ts'
import { type InnerList, type Item, serializeMember } from './structured-fields.ts'

export type MessageSigner = { readonly kid: string; readonly key: KeyObject }

/**
 * Signs a message with ES256 as RFC 9421 has it, and returns the headers to add to it. `also`: headers to cover besides those that every
 * verifier asks for. A request with a body must have its `content-type`.
 */
export function signMessage(
  message: Message,
  { kid, key }: MessageSigner,
  { now, also = [] }: { now: Date; also?: readonly string[] },
): Record<string, string> {
  const digest: Record<string, string> =
    message.body.length > 0 ? { 'content-digest': contentDigestOf(message.body) } : {}
  const whole = { ...message, headers: { ...message.headers, ...digest } }
  const names = new Set([...requiredComponents(whole), ...also])
  const items = [...names].map((name): Item => [name, new Map()])
  const covered: InnerList = [
    items,
    new Map<string, number | string>([
      ['created', Math.floor(now.getTime() / 1000)],
      ['keyid', kid],
    ]),
  ]
  const parameters = serializeMember(covered)
  const base = signatureBase(whole, items, parameters)
  if (base === null) throw new Error('a component to sign does not occur in the message')
  // Raw r||s: a verifier of HTTP message signatures takes no DER.
  const signature = sign('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' })
  return {
    ...digest,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${signature.toString('base64')}:`,
  }
}
