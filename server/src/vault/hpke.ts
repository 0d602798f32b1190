import { generateKeyPairSync } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'

/** RFC 9180 in its base mode. A page seals with any library of the standard. */
const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

const keyBytes = 32

/** The raw keys, in memory that can be overwritten. */
export type KeyPair = { readonly publicKey: Buffer; readonly privateKey: Buffer }

export function makeKeyPair(): KeyPair {
  const pair = generateKeyPairSync('x25519', {
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  })
  // Both encodings end with the key itself.
  const privateKey = Buffer.from(pair.privateKey.subarray(-keyBytes))
  pair.privateKey.fill(0)
  return { publicKey: Buffer.from(pair.publicKey.subarray(-keyBytes)), privateKey }
}

type Sealed = { readonly enc: Buffer; readonly ciphertext: Buffer; readonly info: Buffer }

/** The plaintext, which the caller overwrites; null: it was not sealed to this key, for this purpose. */
export async function openSealed(
  { publicKey, privateKey }: KeyPair,
  { enc, ciphertext, info }: Sealed,
): Promise<Buffer | null> {
  const secret = bytesOf(privateKey)
  try {
    const recipientKey = {
      publicKey: await suite.kem.deserializePublicKey(bytesOf(publicKey)),
      privateKey: await suite.kem.deserializePrivateKey(secret),
    }
    const recipient = await suite.createRecipientContext({
      recipientKey,
      enc: bytesOf(enc),
      info: bytesOf(info),
    })
    return Buffer.from(await recipient.open(bytesOf(ciphertext)))
  } catch {
    // A wrong key and a wrong tag are the same to who asks.
    return null
  } finally {
    new Uint8Array(secret).fill(0)
  }
}

/** WebCrypto takes a buffer of its own, and not a part of a shared one. */
function bytesOf(part: Buffer): ArrayBuffer {
  const bytes = new ArrayBuffer(part.length)
  new Uint8Array(bytes).set(part)
  return bytes
}
