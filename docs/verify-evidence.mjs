// Verifies evidence of a purchase in one file, by Node's own cryptography and nothing of ours. Copy it, and change what you need.
//
//   node docs/verify-evidence.mjs EVIDENCE KEY_SET
//
// EVIDENCE: the file that the service has signed. KEY_SET: a file with what its /.well-known/jwks.json answered.
import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [evidence, keySet] = process.argv.slice(2).map(read)
const { alg, kid, typ } = JSON.parse(Buffer.from(evidence.protected, 'base64url'))
if (alg !== 'ES256' || typ !== 'prokura-evidence-bundle+json') fail('this is no evidence')
const jwk = keySet.keys.find((key) => key.kid === kid)
if (!jwk) fail(`the key set has no key ${kid}`)
const isRight = verify(
  'sha256',
  Buffer.from(`${evidence.protected}.${evidence.payload}`),
  { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
  Buffer.from(evidence.signature, 'base64url'),
)
if (!isRight) fail('something of it was changed')
console.log(JSON.stringify(JSON.parse(Buffer.from(evidence.payload, 'base64url')), null, 2))

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    fail(`${file} is no file of JSON`)
  }
}

function fail(why) {
  console.error(`FAILED: ${why}`)
  process.exit(1)
}
