import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto'

type Wanted = {
  subject: string
  subjectKey: KeyObject
  issuer: string
  issuerKeys: { publicKey: KeyObject; privateKey: KeyObject }
  validDays: number
  now: Date
  /** The DNS names of a server; without any it is an authority, for names under `.test` alone. */
  names: readonly string[]
}

const ecdsaWithSha256 = '1.2.840.10045.4.3.2'

/**
 * An X.509 certificate (RFC 5280) as PEM. Node reads certificates and makes none; the packages that make them bring a dozen others and
 * more time to load than the whole sandbox takes to start, for this one kind of certificate.
 */
export function makeCertificate(wanted: Wanted): string {
  const { subject, issuer, subjectKey, issuerKeys, now, validDays } = wanted
  const algorithm = sequence(oid(ecdsaWithSha256))
  const signed = sequence(
    tagged(0, integer(Buffer.from([2]))),
    // Positive and not longer than 20 bytes.
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    algorithm,
    nameOf(issuer),
    sequence(
      time(new Date(now.getTime() - 86_400_000)),
      time(new Date(now.getTime() + validDays * 86_400_000)),
    ),
    nameOf(subject),
    subjectKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensionsOf(wanted))),
  )
  const der = sequence(signed, algorithm, bitString(sign('sha256', signed, issuerKeys.privateKey)))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function extensionsOf({ names, subjectKey, issuerKeys }: Wanted): Buffer[] {
  const keys = [
    extension('2.5.29.14', octetString(keyId(subjectKey))),
    extension('2.5.29.35', sequence(tlv(0x80, keyId(issuerKeys.publicKey)))),
  ]
  if (names.length === 0) {
    return [
      critical('2.5.29.19', sequence(tlv(0x01, Buffer.from([0xff])), integer(Buffer.from([0])))),
      // Signing of certificates and of lists of revoked ones.
      critical('2.5.29.15', tlv(0x03, Buffer.from([1, 0b0000_0110]))),
      // Who trusts it by mistake trusts it for no name that exists.
      critical('2.5.29.30', sequence(tagged(0, sequence(dnsName('test'))))),
      ...keys,
    ]
  }
  return [
    critical('2.5.29.19', sequence()),
    critical('2.5.29.15', tlv(0x03, Buffer.from([7, 0b1000_0000]))),
    extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', sequence(...names.map(dnsName))),
    ...keys,
  ]
}

function keyId(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), octetString(value))
}

function critical(id: string, value: Buffer): Buffer {
  return sequence(oid(id), tlv(0x01, Buffer.from([0xff])), octetString(value))
}

function nameOf(commonName: string): Buffer {
  return sequence(tlv(0x31, sequence(oid('2.5.4.3'), tlv(0x0c, Buffer.from(commonName)))))
}

function dnsName(name: string): Buffer {
  return tlv(0x82, Buffer.from(name))
}

/** GeneralizedTime is for years from 2050 on. */
function time(at: Date): Buffer {
  const digits = `${at.toISOString().replaceAll(/[-:T]|\.\d+Z$/g, '')}Z`
  return at.getUTCFullYear() < 2050 ? tlv(0x17, Buffer.from(digits.slice(2))) : tlv(0x18, Buffer.from(digits))
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts)
}

function tagged(number: number, part: Buffer): Buffer {
  return tlv(0xa0 + number, part)
}

function integer(bytes: Buffer): Buffer {
  return tlv(0x02, bytes)
}

function octetString(bytes: Buffer): Buffer {
  return tlv(0x04, bytes)
}

function bitString(bytes: Buffer): Buffer {
  return tlv(0x03, Buffer.from([0]), bytes)
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return tlv(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const low = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) low.unshift((rest & 0x7f) | 0x80)
  return low
}

function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(value.length)]), value])
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return [0x80 | bytes.length, ...bytes]
}
