import { isObject } from '../../schema/schema-node.ts'
import { parseJson } from '../../schema/strict-json.ts'
import { algorithmOf, importPublicJwk, isForSignatures, type PublicJwk } from './jwk.ts'
import { verifies } from './verify-message.ts'

const headerLengthMax = 2_000

/**
 * Whether the header `Request-Signature` of the two oldest releases signs these bytes: a JWS whose payload is the body as it is, and is not
 * repeated (RFC 7797). It covers nothing but the body.
 */
export function isSignedDetached(header: string, body: Uint8Array, keys: readonly PublicJwk[]): boolean {
  const [head = '', payload, signature = '', ...more] = header.slice(0, headerLengthMax).split('.')
  if (payload !== '' || more.length > 0) return false
  const read = parseJson(Buffer.from(head, 'base64url'))
  const said = read.ok && isObject(read.value) ? read.value : {}
  const { kid, alg, b64, crit } = said
  // An extension that must be understood and is not makes the signature worthless.
  const isUnencoded = b64 === false && Array.isArray(crit) && crit.length === 1 && crit[0] === 'b64'
  const jwk = keys.find((one) => one.kid === kid && isForSignatures(one))
  const algorithm = jwk ? algorithmOf(jwk) : null
  const key = jwk ? importPublicJwk(jwk) : null
  if (!isUnencoded || algorithm === null || algorithm !== alg || key === null) return false
  const base = Buffer.concat([Buffer.from(`${head}.`), body])
  return verifies({ algorithm, key, base, signature: Buffer.from(signature, 'base64url') })
}
