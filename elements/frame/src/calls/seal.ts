import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'

/** What to seal to, and for what alone, as the server has said it. */
type SealedFor = { readonly publicKey: string; readonly info: string }

type Sealed = { readonly enc: string; readonly ciphertext: string }

/** HPKE (RFC 9180): only the vault can open it. Null: this browser cannot seal, or the page was not loaded in a secure way. */
export async function seal({ publicKey, info }: SealedFor, secret: object): Promise<Sealed | null> {
  const plain = new TextEncoder().encode(JSON.stringify(secret))
  try {
    const suite = new CipherSuite({
      kem: new DhkemX25519HkdfSha256(),
      kdf: new HkdfSha256(),
      aead: new Aes256Gcm(),
    })
    const recipientPublicKey = await suite.kem.deserializePublicKey(bytesOf(publicKey))
    const sender = await suite.createSenderContext({ recipientPublicKey, info: bytesOf(info) })
    const ciphertext = await sender.seal(plain.buffer)
    return { enc: textOf(sender.enc), ciphertext: textOf(ciphertext) }
  } catch {
    return null
  } finally {
    plain.fill(0)
  }
}

function bytesOf(base64url: string): ArrayBuffer {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer
}

function textOf(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
