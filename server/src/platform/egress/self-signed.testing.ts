import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate and its key, PEM. */
export type Identity = { cert: string; key: string }

/** A minimal self-signed X.509 v3 certificate: Node can read certificates and cannot make them. */
export function selfSigned(name: string, notBefore = '200101000000Z', notAfter = '490101000000Z'): Identity {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'))
  const commonName = der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(name)))
  const distinguishedName = der(0x30, der(0x31, commonName))
  const alternativeNames = der(0x30, der(0x82, Buffer.from(name)))
  const extension = der(0x30, Buffer.from('0603551d11', 'hex'), der(0x04, alternativeNames))
  const toBeSigned = der(
    0x30,
    der(0xa0, Buffer.from('020102', 'hex')),
    Buffer.from('020101', 'hex'),
    ecdsaWithSha256,
    distinguishedName,
    der(0x30, der(0x17, Buffer.from(notBefore)), der(0x17, Buffer.from(notAfter))),
    distinguishedName,
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension)),
  )
  const signature = sign('sha256', toBeSigned, pair.privateKey)
  const certificate = der(0x30, toBeSigned, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: pem(pair.privateKey),
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

function pem(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }))
}
