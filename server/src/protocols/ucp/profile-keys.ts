import { cleanText, type Faults, isObject, type JsonObject, member, type Path } from '../foreign-document.ts'

/** A public key for signatures, as RFC 7517 writes it. */
export type ProfileKey = {
  readonly kid: string
  readonly kty: string
  readonly crv: string | null
  readonly x: string | null
  readonly y: string | null
  readonly alg: string | null
}

type Context = { readonly faults: Faults; readonly version: string }

/** From this release on, keys stand in `keys`. */
const release2026_08 = '2026-08-25'
const keysMax = 20
/** Bytes of a coordinate, and the algorithm of each curve that UCP names. */
const curves = new Map([
  ['P-256', { bytes: 32, alg: 'ES256', kty: 'EC' }],
  ['P-384', { bytes: 48, alg: 'ES384', kty: 'EC' }],
  ['Ed25519', { bytes: 32, alg: 'EdDSA', kty: 'OKP' }],
])
/** Members that only private and symmetric keys have. */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** The keys that verifiers of this release read. A key of an unknown kind harms no other. */
export function readKeys(document: JsonObject, context: Context): ProfileKey[] {
  const { faults, version } = context
  const isNew = version >= release2026_08
  const [here, elsewhere] = isNew ? ['keys', 'signing_keys'] : ['signing_keys', 'keys']
  const ucp = member(document, 'ucp')
  for (const name of ['keys', 'signing_keys'])
    if (isObject(ucp) && member(ucp, name) !== undefined)
      faults.error(
        ['ucp', name],
        'Keys stand inside `ucp`, where no verifier reads them.',
        'Move them out of `ucp`, to the top of the document.',
      )
  const given = member(document, here)
  if (given === undefined) {
    if (member(document, elsewhere) !== undefined)
      faults.error(
        [elsewhere],
        `Verifiers of ${version} read keys only from \`${here}\`.`,
        `Publish the same keys as \`${here}\`, beside \`${elsewhere}\` if older readers need that.`,
      )
    return []
  }
  if (!Array.isArray(given)) {
    faults.error([here], 'The keys are not a list.', 'Write a list of public keys, each with kid and kty.')
    return []
  }
  const keys = given.slice(0, keysMax).flatMap((key, index) => readKey(key, [here, index], context) ?? [])
  const kids = new Set<string>()
  for (const { kid } of keys) {
    if (kids.has(kid))
      faults.error(
        [here],
        `Two keys have the kid ${kid}, so signatures cannot name one of them.`,
        'Give each key a kid of its own.',
      )
    kids.add(kid)
  }
  return keys
}

function readKey(value: unknown, at: Path, { faults }: Context): ProfileKey | null {
  const kid = isObject(value) ? cleanText(member(value, 'kid'), 255) : null
  const kty = isObject(value) ? cleanText(member(value, 'kty'), 20) : null
  if (!isObject(value) || kid === null || kty === null) {
    faults.error(at, 'The key has no kid or no kty.', 'Write a JSON Web Key with kid and kty.')
    return null
  }
  const secret = secretMembers.find((name) => member(value, name) !== undefined)
  if (secret !== undefined) {
    faults.error(
      [...at, secret],
      'This is a private key, and everybody can read it.',
      'Remove it, make a new pair of keys, and publish the public one alone.',
    )
    return null
  }
  const text = (name: string) => cleanText(member(value, name), 200)
  const key = { kid, kty, crv: text('crv'), x: text('x'), y: text('y'), alg: text('alg') }
  const wrong = faultOfCurve(key)
  if (wrong === null) return key
  faults.error(
    at,
    `${wrong} Signatures by it cannot be verified.`,
    'Export the public key again as a JSON Web Key.',
  )
  return null
}

function faultOfCurve({ kty, crv, x, y, alg }: ProfileKey): string | null {
  const curve = crv === null ? undefined : curves.get(crv)
  if (curve === undefined) return kty === 'EC' && crv === null ? 'The key names no curve.' : null
  if (curve.kty !== kty) return `A key on ${crv} has kty ${curve.kty}.`
  if (alg !== null && alg !== curve.alg) return `A key on ${crv} has alg ${curve.alg}.`
  if (!isCoordinate(x, curve.bytes) || (kty === 'EC' && !isCoordinate(y, curve.bytes)))
    return `The coordinates are not ${curve.bytes} bytes in base64url.`
  return null
}

function isCoordinate(text: string | null, bytes: number): boolean {
  return (
    text !== null &&
    /^[\w-]+$/.test(text) &&
    Buffer.from(text, 'base64url').length === bytes &&
    text.length === Math.ceil((bytes * 4) / 3)
  )
}
