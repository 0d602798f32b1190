import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import type { ShopMemory } from '../shop/memory.ts'
import type { SigningKey } from './signature.ts'

export type ShopKeys = {
  published: object[]
  /** Belongs to what is published. */
  own: SigningKey
  /** Says that it is the same, and is not. */
  wrong: SigningKey
}

const note = 'signing_key'

/** The key of the shop: made at its first opening, and kept with its memory. */
export function openKeys(memory: ShopMemory): ShopKeys {
  const kept = memory.notes.get(note)
  const privateKey = kept === undefined ? newKey() : createPrivateKey(kept)
  if (kept === undefined)
    memory.commit({
      kind: 'note',
      name: note,
      value: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    })
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  // RFC 7638: the name of a key follows from the key.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return {
    published: [{ kid, kty, crv, x, y, use: 'sig', alg: 'ES256' }],
    own: { kid, privateKey },
    wrong: { kid, privateKey: newKey() },
  }
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
}
