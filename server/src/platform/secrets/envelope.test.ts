import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { EnvelopeError, type EnvelopeErrorReason, open, seal } from './envelope.ts'
import { envKeyProvider } from './keys.ts'

const oldKey = `old:${Buffer.alloc(32, 1).toString('base64')}`
const newKey = `new:${Buffer.alloc(32, 2).toString('base64')}`
const provider = envKeyProvider(oldKey)
const context = { what: 'destination_secret', accountId: 'acct_1', mode: 'test', id: 'dest_1' }
const plaintext = Buffer.from('whsec_canary4711')

function reasonOf(attempt: () => unknown): EnvelopeErrorReason | undefined {
  try {
    attempt()
  } catch (error) {
    if (error instanceof EnvelopeError) return error.reason
    throw error
  }
  return undefined
}

test.each([0, 1, 16, 100_000])('%i bytes come back as they went in', (size) => {
  const bytes = Buffer.alloc(size, 7)
  expect(open(provider, seal(provider, bytes, context), context)).toEqual(bytes)
})

test('equal records look different and contain nothing of the plaintext', () => {
  const one = seal(provider, plaintext, context)
  const other = seal(provider, plaintext, context)
  expect(one.equals(other)).toBe(false)
  expect(one.includes('canary')).toBe(false)
  expect(one.length - plaintext.length).toBeLessThan(110)
})

test('a flipped bit anywhere in the record keeps it shut', () => {
  const sealed = seal(provider, plaintext, context)
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const altered = Buffer.from(sealed)
    const byte = bit >> 3
    altered[byte] = (altered[byte] ?? 0) ^ (1 << (bit & 7))
    expect(
      reasonOf(() => open(provider, altered, context)),
      `bit ${bit}`,
    ).toBeDefined()
  }
})

test('every truncation and every extension keeps it shut', () => {
  const sealed = seal(provider, plaintext, context)
  for (let size = 0; size < sealed.length; size += 1) {
    expect(
      reasonOf(() => open(provider, sealed.subarray(0, size), context)),
      `size ${size}`,
    ).toBeDefined()
  }
  expect(reasonOf(() => open(provider, Buffer.concat([sealed, Buffer.alloc(1)]), context))).toBe(
    'authentication',
  )
})

test.each([
  { ...context, what: 'card' },
  { ...context, accountId: 'acct_2' },
  { ...context, mode: 'live' },
  { ...context, id: 'dest_2' },
  // The same characters with the border elsewhere.
  { ...context, accountId: 'acct_', mode: '1test' },
])('a record does not open as another one: %o', (other) => {
  const sealed = seal(provider, plaintext, context)
  expect(reasonOf(() => open(provider, sealed, other))).toBe('authentication')
})

test('a wrapped key moved from another record of the same context does not open it', () => {
  const one = seal(provider, plaintext, context)
  const other = seal(provider, plaintext, context)
  const recordStart = one.length - plaintext.length - 28
  const mixed = Buffer.concat([one.subarray(0, recordStart), other.subarray(recordStart)])
  expect(reasonOf(() => open(provider, mixed, context))).toBe('authentication')
})

test('records outlive a rotation, and new ones use the new key', () => {
  const rotated = envKeyProvider(`${oldKey},${newKey}`)
  expect(open(rotated, seal(provider, plaintext, context), context)).toEqual(plaintext)
  const sealed = seal(rotated, plaintext, context)
  expect(open(rotated, sealed, context)).toEqual(plaintext)
  expect(reasonOf(() => open(provider, sealed, context))).toBe('unknown_key')
})

test('a key of the same id with other bytes is not mistaken for the right one', () => {
  const impostor = envKeyProvider(newKey.replace('new:', 'old:'))
  expect(reasonOf(() => open(impostor, seal(provider, plaintext, context), context))).toBe('authentication')
})

test('an unknown format is another error than damage', () => {
  const sealed = seal(provider, plaintext, context)
  sealed[0] = 2
  expect(reasonOf(() => open(provider, sealed, context))).toBe('format')
})

test('the error shows neither plaintext nor key', () => {
  const sealed = seal(provider, plaintext, context)
  try {
    open(provider, sealed, { ...context, id: 'dest_2' })
    expect.unreachable()
  } catch (error) {
    expect(inspect(error, { depth: 9 })).not.toMatch(/canary|01 01 01/)
  }
})
