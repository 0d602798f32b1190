import {
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
} from 'node:crypto'

/**
 * RFC 9180 in its base mode, as far as the vault needs it: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, one message a key
 * schedule. A page seals with any library of the standard.
 */

const kemSuite = Buffer.concat([Buffer.from('KEM'), i2osp(0x0020, 2)])
const suite = Buffer.concat([Buffer.from('HPKE'), i2osp(0x0020, 2), i2osp(0x0001, 2), i2osp(0x0002, 2)])

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** What PKCS #8 and SPKI write before the 32 bytes of an X25519 key. */
const pkcs8 = Buffer.from('302e020100300506032b656e04220420', 'hex')
const spki = Buffer.from('302a300506032b656e032100', 'hex')

export type KeyPair = { readonly publicKey: Buffer; readonly privateKey: Buffer }

export function makeKeyPair(): KeyPair {
  const pair = generateKeyPairSync('x25519', {
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  })
  const privateKey = Buffer.from(pair.privateKey.subarray(-keyBytes))
  pair.privateKey.fill(0)
  return { publicKey: Buffer.from(pair.publicKey.subarray(-keyBytes)), privateKey }
}

type Sealed = { readonly enc: Buffer; readonly ciphertext: Buffer; readonly info: Buffer }

/** The plaintext, which the caller overwrites; null: it was not sealed to this key, for this purpose. */
export function openSealed(
  { publicKey, privateKey }: KeyPair,
  { enc, ciphertext, info }: Sealed,
): Buffer | null {
  if (enc.length !== keyBytes || ciphertext.length < tagBytes) return null
  try {
    const dh = diffieHellman({
      privateKey: createPrivateKey({ key: Buffer.concat([pkcs8, privateKey]), format: 'der', type: 'pkcs8' }),
      publicKey: createPublicKey({ key: Buffer.concat([spki, enc]), format: 'der', type: 'spki' }),
    })
    const { key, nonce } = scheduleOf(sharedSecret(dh, enc, publicKey), info)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    decipher.setAuthTag(ciphertext.subarray(-tagBytes))
    const opened = decipher.update(ciphertext.subarray(0, -tagBytes))
    decipher.final()
    return opened
  } catch {
    // A wrong key and a wrong tag are the same to who asks.
    return null
  }
}

function sharedSecret(dh: Buffer, enc: Buffer, publicKey: Buffer): Buffer {
  const prk = labeledExtract(kemSuite, { salt: Buffer.alloc(0), label: 'eae_prk', material: dh })
  return labeledExpand(kemSuite, prk, {
    label: 'shared_secret',
    info: Buffer.concat([enc, publicKey]),
    bytes: 32,
  })
}

function scheduleOf(shared: Buffer, info: Buffer): { key: Buffer; nonce: Buffer } {
  const none = Buffer.alloc(0)
  const hashOf = (label: string, material: Buffer) => labeledExtract(suite, { salt: none, label, material })
  const context = Buffer.concat([Buffer.from([0]), hashOf('psk_id_hash', none), hashOf('info_hash', info)])
  const secret = labeledExtract(suite, { salt: shared, label: 'secret', material: none })
  return {
    key: labeledExpand(suite, secret, { label: 'key', info: context, bytes: keyBytes }),
    // The first message: its sequence number is 0, which changes nothing in the base nonce.
    nonce: labeledExpand(suite, secret, { label: 'base_nonce', info: context, bytes: nonceBytes }),
  }
}

function labeledExtract(
  suiteId: Buffer,
  { salt, label, material }: { salt: Buffer; label: string; material: Buffer },
): Buffer {
  const labeled = Buffer.concat([Buffer.from('HPKE-v1'), suiteId, Buffer.from(label), material])
  return createHmac('sha256', salt).update(labeled).digest()
}

/** One block of HKDF-Expand is enough: nothing here is longer than a hash. */
function labeledExpand(
  suiteId: Buffer,
  prk: Buffer,
  { label, info, bytes }: { label: string; info: Buffer; bytes: number },
): Buffer {
  const labeled = Buffer.concat([i2osp(bytes, 2), Buffer.from('HPKE-v1'), suiteId, Buffer.from(label), info])
  return createHmac('sha256', prk)
    .update(labeled)
    .update(Buffer.from([1]))
    .digest()
    .subarray(0, bytes)
}

function i2osp(value: number, bytes: number): Buffer {
  const text = Buffer.alloc(bytes)
  text.writeUIntBE(value, 0, bytes)
  return text
}
