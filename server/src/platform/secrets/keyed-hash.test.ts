import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashToken, newToken, tokenPepper, tokenPrefix } from './keyed-hash.ts'
import { envKeyProvider } from './keys.ts'

const oldKey = `old:${Buffer.alloc(32, 1).toString('base64')}`
const newKey = `new:${Buffer.alloc(32, 2).toString('base64')}`

test('a token has its prefix and 192 bits in letters and digits', () => {
  const token = newToken('pr_sk_test_', randomBytes)
  expect(token).toMatch(/^pr_sk_test_[0-9A-Za-z]{33}$/)
  expect(Math.log2(62 ** 33)).toBeGreaterThan(192)
})

test('every one of the 192 random bits makes another token of the same length', () => {
  const tokens = new Set<string>()
  for (let bit = 0; bit < 192; bit += 1) {
    tokens.add(
      newToken('whsec_', (size) => Buffer.alloc(size).fill(1 << (bit & 7), bit >> 3, (bit >> 3) + 1)),
    )
  }
  tokens.add(newToken('whsec_', (size) => Buffer.alloc(size)))
  tokens.add(newToken('whsec_', (size) => Buffer.alloc(size, 255)))
  expect(tokens.size).toBe(194)
  expect([...tokens].every((token) => token.length === 39)).toBe(true)
})

test.each([
  ['pr_sk_test_ab12cdefghijklmnopqrstuvwxyzABCDE', 'pr_sk_test_ab12'],
  ['pr_pk_live_0000000000000000000000000000000zz', 'pr_pk_live_0000'],
  ['whsec_Zz98aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'whsec_Zz98'],
])('%s is shown as %s', (token, shown) => {
  expect(tokenPrefix(token)).toBe(shown)
})

test('a hash depends on token and key, and survives a rotation', () => {
  const pepper = tokenPepper(envKeyProvider(oldKey))
  const hash = hashToken(pepper, 'pr_sk_test_a')
  expect(hash).toHaveLength(32)
  expect(hashToken(tokenPepper(envKeyProvider(`${oldKey},${newKey}`)), 'pr_sk_test_a')).toEqual(hash)
  expect(hashToken(tokenPepper(envKeyProvider(newKey)), 'pr_sk_test_a')).not.toEqual(hash)
  expect(hashToken(pepper, 'pr_sk_test_b')).not.toEqual(hash)
})

test('the hash is HMAC-SHA-256 under the pepper', () => {
  const pepper = tokenPepper(envKeyProvider(oldKey))
  for (const token of ['', 'pr_sk_test_a', 'ü'.repeat(100)]) {
    expect(hashToken(pepper, token)).toEqual(createHmac('sha256', pepper).update(token, 'utf8').digest())
  }
})

test('the pepper is not the key it derives from', () => {
  const provider = envKeyProvider(oldKey)
  expect(tokenPepper(provider).equals(provider.key('old'))).toBe(false)
})
