import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** Where everybody finds the keys by which the service signs and has signed. */
export const keySetPath = '/.well-known/jwks.json'

/** A public key on P-256, as others read it. */
export type EcJwk = {
  readonly kid: string
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly use: 'sig'
  readonly alg: 'ES256'
}

/** A key for ES256. `pem` is secret. */
export function makeSigningKey(): { jwk: EcJwk; pem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { jwk: { kid: thumbprintOf(x, y), kty: 'EC', crv: 'P-256', x, y, use: 'sig', alg: 'ES256' }, pem }
}

export function privateKeyOf(pem: string): KeyObject {
  return createPrivateKey(pem)
}

/** RFC 7638: the name of a key that nobody can give to another one. The order of the members is that of the RFC. */
function thumbprintOf(x: string, y: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url')
}
