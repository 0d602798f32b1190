import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { isSignatureValid, sign } from './signature.ts'

const now = new Date('2030-01-01T00:00:00Z')
const epoch = now.getTime() / 1000
const secret = 'whsec_test'
const body = Buffer.from('{"id":"evt_1", "ü": 1}')

function header(timestamp: number, key = secret, bytes = body): string {
  return `t=${timestamp},v1=${createHmac('sha256', key).update(`${timestamp}.`).update(bytes).digest('hex')}`
}

function isValid(given: string | undefined, bytes = body): boolean {
  return isSignatureValid({ header: given, body: bytes, secret, now })
}

test('accepts a signature with the secret over timestamp, period and raw bytes', () => {
  expect(isValid(header(epoch))).toBe(true)
  expect(isValid(sign(body.toString(), secret, now))).toBe(true)
})

test('refuses every single flipped bit of the body', () => {
  const given = header(epoch)
  for (let index = 0; index < body.length * 8; index++) {
    const tampered = Buffer.from(body)
    tampered[index >> 3] = (tampered[index >> 3] ?? 0) ^ (1 << (index & 7))
    expect(isValid(given, tampered)).toBe(false)
  }
})

test.each([
  [-60, true],
  [60, true],
  [-61, false],
  [61, false],
])('a timestamp %d seconds away is accepted: %s', (seconds, accepted) => {
  expect(isValid(header(epoch + seconds))).toBe(accepted)
})

test('a fresh timestamp on an old digest is refused', () => {
  expect(isValid(header(epoch - 300).replace(`t=${epoch - 300}`, `t=${epoch}`))).toBe(false)
})

test('during a rotation one matching digest among several is enough, wherever it stands', () => {
  const ours = header(epoch).split(',')[1]
  const other = header(epoch, 'whsec_other').split(',')[1]
  expect(isValid(`t=${epoch},${other},${ours}`)).toBe(true)
  expect(isValid(`t=${epoch},${ours},${other}`)).toBe(true)
  expect(isValid(`t=${epoch},${other}`)).toBe(false)
})

test.each([
  undefined,
  '',
  't=1',
  `t=${epoch}`,
  `v1=${'0'.repeat(64)}`,
  `t=${epoch},v1=`,
  `t=${epoch},v1=zz`,
  `t=x,v1=${'0'.repeat(64)}`,
])('the header %s is no signature', (given) => {
  expect(isValid(given)).toBe(false)
})
