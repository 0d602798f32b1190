import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Options = {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly allowCredentials?: readonly { readonly id: string }[]
}

type Told = {
  /** The page that asks; the right one by default. */
  readonly origin: string
  /** Whether the person was recognised, and not only there. */
  readonly isVerified?: boolean
}

/**
 * An authenticator in software, by the text of the WebAuthn recommendation (sections 6.1 and 6.5): ES256, no attestation. It shares nothing
 * with the library that judges it.
 */
export class Authenticator {
  readonly #keys = new Map<string, { readonly key: KeyObject; counter: number }>()

  create(options: Options, { origin, isVerified = true }: Told) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(16)
    this.#keys.set(id.toString('base64url'), { key: privateKey, counter: 0 })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, cose])
    const data = dataOf(options.rp?.id ?? '', { counter: 0, isVerified, attested })
    const size = Buffer.alloc(2)
    size.writeUInt16BE(data.length)
    // {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      size,
      data,
    ])
    const clientDataJSON = clientData('webauthn.create', options.challenge, origin)
    return credentialOf(id, {
      clientDataJSON: clientDataJSON.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** Signs with the first of its passkeys that the question names, or with `as`. */
  get(options: Options, { origin, isVerified = true }: Told, as?: string) {
    const id = as ?? options.allowCredentials?.find((one) => this.#keys.has(one.id))?.id ?? ''
    const passkey = this.#keys.get(id)
    if (passkey === undefined) throw new Error('there is no passkey for this here')
    passkey.counter += 1
    const data = dataOf(options.rpId ?? '', { counter: passkey.counter, isVerified })
    const clientDataJSON = clientData('webauthn.get', options.challenge, origin)
    const signed = Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()])
    return credentialOf(Buffer.from(id, 'base64url'), {
      clientDataJSON: clientDataJSON.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, passkey.key).toString('base64url'),
    })
  }
}

function credentialOf(id: Buffer, response: object) {
  const name = id.toString('base64url')
  return { id: name, rawId: name, type: 'public-key', clientExtensionResults: {}, response }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function dataOf(
  rpId: string,
  { counter, isVerified, attested }: { counter: number; isVerified: boolean; attested?: Buffer },
): Buffer {
  const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested === undefined ? 0 : 0x40)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const head = [createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]
  return Buffer.concat(attested === undefined ? head : [...head, attested])
}
