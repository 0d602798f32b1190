import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { isObject } from '../../schema/schema-node.ts'
import { parseJson } from '../../schema/strict-json.ts'

/** A signed document in the flattened JSON form of RFC 7515, as everybody's libraries read it. */
export type FlattenedJws = {
  readonly payload: string
  readonly protected: string
  readonly signature: string
}

/** ES256. `typ` says what is signed, so that no other signature of the key can stand for it (RFC 8725, section 3.11). */
export function signFlattened(
  payload: Uint8Array,
  { kid, key, typ }: { kid: string; key: KeyObject; typ: string },
): FlattenedJws {
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid, typ })).toString('base64url')
  const body = Buffer.from(payload).toString('base64url')
  // A JWS has r and s as they are, and not as DER.
  const signature = sign('sha256', Buffer.from(`${header}.${body}`), { key, dsaEncoding: 'ieee-p1363' })
  return { payload: body, protected: header, signature: signature.toString('base64url') }
}

/** What is wrong with a document that was signed. `unknown_key`: the key set has no such key, so nobody can say. */
export type JwsFault = 'malformed' | 'wrong_type' | 'unknown_key' | 'wrong_signature'

type Verified =
  | { readonly ok: true; readonly payload: Buffer; readonly kid: string }
  | { readonly ok: false; readonly fault: JwsFault; readonly kid: string | null }

/** The key comes from the key set and its algorithm from here: nothing that the document says of itself decides how it is verified. */
export function verifyFlattened(
  { payload, protected: header, signature }: FlattenedJws,
  keys: readonly Readonly<Record<string, unknown>>[],
  typ: string,
): Verified {
  const refuse = (fault: JwsFault, kid: string | null = null) => ({ ok: false, fault, kid }) as const
  // A letter of base64url can have bits that mean nothing; a document in which one was changed is another document.
  if (![payload, header, signature].every(isBase64Url)) return refuse('malformed')
  const read = parseJson(Buffer.from(header, 'base64url'))
  const said = read.ok && isObject(read.value) ? read.value : {}
  const { kid, alg, typ: type, crit } = said
  if (typeof kid !== 'string' || alg !== 'ES256' || crit !== undefined) return refuse('malformed')
  if (type !== typ) return refuse('wrong_type', kid)
  const key = publicKeyOf(keys.find((one) => one.kid === kid))
  if (key === null) return refuse('unknown_key', kid)
  const isRight = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isRight
    ? { ok: true, payload: Buffer.from(payload, 'base64url'), kid }
    : refuse('wrong_signature', kid)
}

function isBase64Url(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text
}

function publicKeyOf(jwk: Readonly<Record<string, unknown>> | undefined): KeyObject | null {
  if (jwk === undefined || jwk.kty !== 'EC' || jwk.crv !== 'P-256') return null
  const { x, y } = jwk
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: `${x}`, y: `${y}` }, format: 'jwk' })
  } catch {
    return null
  }
}
