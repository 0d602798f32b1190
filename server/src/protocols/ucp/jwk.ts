import { createPublicKey, type KeyObject } from 'node:crypto'

/** A public key as a profile publishes it. Members that are not known are passed over. */
export type PublicJwk = {
  readonly kid: string
  readonly kty: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
  readonly use?: string
  readonly alg?: string
  readonly key_ops?: readonly string[]
}

export type SignatureAlgorithm = 'ES256' | 'ES384' | 'EdDSA'

/** The algorithm comes from the key and from nothing that a message says. Null: no signature by this key can be checked. */
export function algorithmOf({ kty, crv, alg }: PublicJwk): SignatureAlgorithm | null {
  const algorithm = algorithms[`${kty} ${crv}`]
  return algorithm === undefined || (alg !== undefined && alg !== algorithm) ? null : algorithm
}

const algorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  'EC P-256': 'ES256',
  'EC P-384': 'ES384',
  'OKP Ed25519': 'EdDSA',
}

/** Whether the key is published for signatures at all. */
export function isForSignatures({ use, key_ops: operations }: PublicJwk): boolean {
  return use !== 'enc' && (operations === undefined || operations.includes('verify'))
}

/** Null: it is no point of its curve. */
export function importPublicJwk({ kty, crv = '', x = '', y }: PublicJwk): KeyObject | null {
  try {
    return createPublicKey({ key: { kty, crv, x, ...(y === undefined ? {} : { y }) }, format: 'jwk' })
  } catch {
    return null
  }
}
