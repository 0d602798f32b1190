import { createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto'
import type { KeyProvider } from './keys.ts'

/**
 * The key under which tokens are hashed. It derives from the oldest key and not the current one: a token is found by its
 * hash, so the hash has to survive every key rotation.
 */
export function tokenPepper(provider: KeyProvider): KeyObject {
  return derivedKey(provider.key(provider.rootId), 'prokura/token-hash/v1')
}

/**
 * Hashes for one purpose, under any of the keys. A token is found by its hash; these values are found in another way and only compared,
 * so they can name the key of their hash, and need not outlive it.
 */
export function keyedHashes(provider: KeyProvider, purpose: string): (keyId: string, text: string) => Buffer {
  const derived = new Map<string, KeyObject>()
  return (keyId, text) => {
    const key = derived.get(keyId) ?? derivedKey(provider.key(keyId), purpose)
    derived.set(keyId, key)
    return hashToken(key, text)
  }
}

/** What is stored and looked up instead of a token: without the keys it is useless to anybody who reads the table. */
export function hashToken(pepper: KeyObject, token: string): Buffer {
  return keyedHash(pepper, token)
}

/** HMAC-SHA-256 of a text, under a key of 64 bytes or less. */
export function keyedHash(key: KeyObject, text: string): Buffer {
  const { inner, outer } = blocksOf(key)
  return hash(
    'sha256',
    // guard tokens-under-a-key: a reader of the table finds no token by guessing
    Buffer.concat([outer, hash('sha256', Buffer.concat([inner, Buffer.from(text, 'utf8')]), 'buffer')]),
    'buffer',
  )
}

const blocks = new WeakMap<KeyObject, { inner: Buffer; outer: Buffer }>()

/**
 * The blocks that HMAC-SHA-256 puts before the message and before the inner hash (RFC 2104). Every request is hashed once, and Node's own
 * HMAC object costs several times as much as the two hashes.
 */
function blocksOf(pepper: KeyObject): { inner: Buffer; outer: Buffer } {
  const known = blocks.get(pepper)
  if (known) return known
  const block = Buffer.concat([
    pepper.export(),
    Buffer.alloc(hmacBlockBytes - (pepper.symmetricKeySize ?? 0)),
  ])
  const made = {
    inner: Buffer.from(block.map((byte) => byte ^ 0x36)),
    outer: Buffer.from(block.map((byte) => byte ^ 0x5c)),
  }
  blocks.set(pepper, made)
  return made
}

const hmacBlockBytes = 64

function derivedKey(from: KeyObject, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', from, '', purpose, 32)))
}

type RandomBytes = (size: number) => Uint8Array

/** `prefix` as it shall appear, its last underscore included (`pr_sk_test_`, `whsec_`), then 192 random bits in base62. */
export function newToken(prefix: string, random: RandomBytes): string {
  return prefix + base62(random(tokenBytes))
}

/** The part of a token that may always be shown: its kind, mode and first four characters (`pr_sk_test_ab12`). */
export function tokenPrefix(token: string): string {
  return token.slice(0, token.lastIndexOf('_') + 1 + shownCharacters)
}

const tokenBytes = 24
// 62^33 is the first power of 62 above 2^192.
const tokenCharacters = 33
const shownCharacters = 4
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function base62(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let digits = ''
  while (digits.length < tokenCharacters) {
    digits = alphabet.charAt(Number(rest % 62n)) + digits
    rest /= 62n
  }
  return digits
}
