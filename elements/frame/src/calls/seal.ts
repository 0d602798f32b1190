import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { DhkemX25519HkdfSha256 as Dhkem } from '@hpke/dhkem-x25519'

/** What to seal to, and for what alone, as the server has said it. */
type SealedFor = { readonly publicKey: string; readonly info: string }

type Sealed = { readonly enc: string; readonly ciphertext: string }

/** The curve by the browser itself, and by script for browsers before 2025, whose WebCrypto has all but the curve. */
const kems = [DhkemX25519HkdfSha256, Dhkem]

/** HPKE (RFC 9180): only the vault can open it. Null: the page was not loaded in a secure way, or what was said is no key. */
export async function seal(sealedFor: SealedFor, secret: object): Promise<Sealed | null> {
  const plain = new TextEncoder().encode(JSON.stringify(secret))
  for (const Kem of kems) {
    const sealed = await sealBy(new Kem(), sealedFor, plain).catch(() => null)
    if (sealed === null) continue
    plain.fill(0)
    return sealed
  }
  plain.fill(0)
  return null
}

async function sealBy(
  kem: InstanceType<(typeof kems)[number]>,
  { publicKey, info }: SealedFor,
  plain: Uint8Array<ArrayBuffer>,
): Promise<Sealed> {
  const suite = new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() })
  const recipientPublicKey = await suite.kem.deserializePublicKey(bytesOf(publicKey))
  const sender = await suite.createSenderContext({ recipientPublicKey, info: bytesOf(info) })
  const ciphertext = await sender.seal(plain.buffer)
  return { enc: textOf(sender.enc), ciphertext: textOf(ciphertext) }
}

function bytesOf(base64url: string): ArrayBuffer {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer
}

function textOf(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
