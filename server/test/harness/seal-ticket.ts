import { webcrypto } from 'node:crypto'
import { type SealingKey, ticketInfo } from '../../src/platform/vault-client/vault-words.ts'

const { subtle } = webcrypto
type Bytes = Uint8Array<ArrayBuffer>
const label = (text: string): Bytes => new TextEncoder().encode(text)
const empty: Bytes = new Uint8Array()
const suites = {
  kem: new Uint8Array([...label('KEM'), 0, 0x20]),
  hpke: new Uint8Array([...label('HPKE'), 0, 0x20, 0, 1, 0, 2]),
}

/**
 * Seals as the page of a component will: HPKE in its base mode, by the text of RFC 9180 and with WebCrypto, as browsers have it. It shares
 * no code with what opens it.
 */
export function sealTicket(key: SealingKey, facts: Parameters<typeof ticketInfo>[0], secret: object) {
  return sealBytes(key, label(ticketInfo(facts)), secret)
}

async function sealBytes(
  key: SealingKey,
  about: Uint8Array,
  secret: object,
): Promise<{ key: string; enc: Buffer; ciphertext: Buffer }> {
  const recipient = Buffer.from(key.publicKey, 'base64url')
  const pair = (await subtle.generateKey({ name: 'X25519' }, true, [
    'deriveBits',
  ])) as unknown as webcrypto.CryptoKeyPair // of this algorithm
  const enc = new Uint8Array(await subtle.exportKey('raw', pair.publicKey))
  const theirs = await subtle.importKey('raw', recipient, { name: 'X25519' }, false, [])
  const dh = new Uint8Array(await subtle.deriveBits({ name: 'X25519', public: theirs }, pair.privateKey, 256))
  const eae = await extract(suites.kem, empty, 'eae_prk', dh)
  const shared = await expand(suites.kem, eae, 'shared_secret', new Uint8Array([...enc, ...recipient]), 32)
  const psk = await extract(suites.hpke, empty, 'psk_id_hash', empty)
  const info = await extract(suites.hpke, empty, 'info_hash', new Uint8Array(about))
  const context = new Uint8Array([0, ...psk, ...info])
  const prk = await extract(suites.hpke, shared, 'secret', empty)
  const nonce = await expand(suites.hpke, prk, 'base_nonce', context, 12)
  const aes = await subtle.importKey(
    'raw',
    await expand(suites.hpke, prk, 'key', context, 32),
    'AES-GCM',
    false,
    ['encrypt'],
  )
  const ciphertext = await subtle.encrypt({ name: 'AES-GCM', iv: nonce }, aes, label(JSON.stringify(secret)))
  return { key: key.key, enc: Buffer.from(enc), ciphertext: Buffer.from(ciphertext) }
}

async function hmac(key: Bytes, data: Bytes): Promise<Bytes> {
  // A key of no bytes is not imported; one of zeros up to a block is the same to HMAC.
  const raw = key.length === 0 ? new Uint8Array(32) : key
  const made = await subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await subtle.sign('HMAC', made, data))
}

function extract(suite: Bytes, salt: Bytes, name: string, material: Bytes) {
  return hmac(salt, new Uint8Array([...label('HPKE-v1'), ...suite, ...label(name), ...material]))
}

async function expand(suite: Bytes, prk: Bytes, name: string, info: Bytes, bytes: number) {
  const labeled = [0, bytes, ...label('HPKE-v1'), ...suite, ...label(name), ...info]
  return (await hmac(prk, new Uint8Array([...labeled, 1]))).subarray(0, bytes)
}

/** Seals what a person has typed in the ticket that has begun so, as the component does. */
export async function sealFor(
  begun: { info: string; sealing_key: { key: string; public_key: string } },
  secret: object,
): Promise<{ key: string; enc: string; ciphertext: string }> {
  const { key, public_key: publicKey } = begun.sealing_key
  const { enc, ciphertext } = await sealBytes(
    { key, publicKey },
    Buffer.from(begun.info, 'base64url'),
    secret,
  )
  return { key, enc: enc.toString('base64url'), ciphertext: ciphertext.toString('base64url') }
}
