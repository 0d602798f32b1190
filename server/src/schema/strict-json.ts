import { isUtf8 } from 'node:buffer'
import { parseSpelled } from './number-spelling.ts'

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

type JsonRefusal = { type: 'json_invalid'; loc: ['body', number]; msg: string }

export type ParsedJson = { ok: true; value: JsonValue } | { ok: false; error: JsonRefusal }

/**
 * Parses a request document, more strictly than JSON.parse. It refuses what a later reader could understand in two ways (duplicate keys,
 * rounded integers, lone surrogates), what poisons objects (`__proto__`) and what the database cannot hold (NUL).
 *
 * REST and MCP both read their bytes through this function. `loc[1]` counts characters, not bytes. Messages never quote the input.
 */
export function parseJson(bytes: Uint8Array, { depthMax = bodyDepthMax } = {}): ParsedJson {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    if (!isUtf8(bytes)) throw new JsonRefused('invalid UTF-8', firstInvalidByte(buffer))
    allowedDepth = depthMax
    hasDecimals = false
    scanDocument(bytes)
  } catch (error) {
    if (!(error instanceof JsonRefused)) throw error
    return {
      ok: false,
      error: { type: 'json_invalid', loc: ['body', charsBefore(bytes, error.at)], msg: error.message },
    }
  }
  const text = buffer.toString('utf8')
  return { ok: true, value: hasDecimals ? parseSpelled<JsonValue>(text) : JSON.parse(text) }
}

class JsonRefused extends Error {
  readonly at: number
  constructor(reason: string, at: number) {
    super(`Invalid JSON: ${reason}`)
    this.at = at
  }
}

/** How deep a document may be; an envelope around it may be a little deeper. */
export const bodyDepthMax = 32
const ENVELOPE_DEPTH_MAX = 2
// Every scan sets it before it begins: a parameter through all functions would cost more than the check. A scan never yields.
let allowedDepth = bodyDepthMax
/** Whether the scan has met a number with a decimal point. Few documents have one, and only they are asked how it was written. */
let hasDecimals = false
/**
 * Up to this many keys, a new key is compared with each earlier one; beyond, a Set keeps a body of thousands of keys from costing their
 * square.
 */
const KEYS_COMPARED = 16

// Scratch for the keys of the objects that are open, one stretch per depth. Shared, because a scan never yields.
const keyHashes = new Int32Array((bodyDepthMax + ENVELOPE_DEPTH_MAX + 1) * KEYS_COMPARED)
const keyStarts = new Int32Array(keyHashes.length)
const keyEnds = new Int32Array(keyHashes.length)

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

// Bytes that end a run of plain string content: the quote, the backslash, and every control character.
const STOPS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
)

function scanDocument(bytes: Uint8Array): void {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new JsonRefused('byte order mark before the document', 0)
  }
  const start = skipSpace(bytes, 0)
  if (start === bytes.length) throw new JsonRefused('empty document', start)
  const end = skipSpace(bytes, scanValue(bytes, start, 0))
  if (end !== bytes.length) throw new JsonRefused('trailing characters', end)
}

/** Every scan function takes the offset where its part begins and returns the offset after it. */
function scanValue(bytes: Uint8Array, at: number, depth: number): number {
  switch (byteAt(bytes, at)) {
    case QUOTE:
      return scanString(bytes, at)
    case 0x7b:
      return scanObject(bytes, at, depth + 1)
    case 0x5b:
      // guard nesting-ends: a deep document does not end the process
      return scanArray(bytes, at, depth + 1)
    case 0x74:
      return scanWord(bytes, at, 'true')
    case 0x66:
      return scanWord(bytes, at, 'false')
    case 0x6e:
      return scanWord(bytes, at, 'null')
    default:
      return scanNumber(bytes, at)
  }
}

function scanObject(bytes: Uint8Array, open: number, depth: number): number {
  if (depth > allowedDepth) throw new JsonRefused(`nesting deeper than ${allowedDepth}`, open)
  let at = skipSpace(bytes, open + 1)
  if (byteAt(bytes, at) === 0x7d) return at + 1
  let seen: Set<string> | undefined
  for (let count = 0; ; count++) {
    if (byteAt(bytes, at) !== QUOTE) throw new JsonRefused('expected a key in double quotes', at)
    if (count === KEYS_COMPARED) seen = keysOf(bytes, depth)
    const keyEnd = seen === undefined ? scanKey(bytes, at, depth, count) : scanKeyInto(bytes, at, seen)
    at = skipSpace(bytes, keyEnd)
    if (byteAt(bytes, at) !== COLON) throw new JsonRefused('expected a colon', at)
    at = skipSpace(bytes, scanValue(bytes, skipSpace(bytes, at + 1), depth))
    const next = byteAt(bytes, at)
    if (next === 0x7d) return at + 1
    if (next !== COMMA) throw new JsonRefused('expected a comma or the end of the object', at)
    at = skipSpace(bytes, at + 1)
  }
}

function scanArray(bytes: Uint8Array, open: number, depth: number): number {
  if (depth > allowedDepth) throw new JsonRefused(`nesting deeper than ${allowedDepth}`, open)
  let at = skipSpace(bytes, open + 1)
  if (byteAt(bytes, at) === 0x5d) return at + 1
  for (;;) {
    at = skipSpace(bytes, scanValue(bytes, at, depth))
    const next = byteAt(bytes, at)
    if (next === 0x5d) return at + 1
    if (next !== COMMA) throw new JsonRefused('expected a comma or the end of the list', at)
    at = skipSpace(bytes, at + 1)
  }
}

function scanKey(bytes: Uint8Array, start: number, depth: number, count: number): number {
  let hash = 0
  let at = start + 1
  let byte = byteAt(bytes, at)
  while (STOPS[byte] === 0) {
    hash = (Math.imul(hash, 31) + byte) | 0
    byte = byteAt(bytes, ++at)
  }
  if (byte === QUOTE) at++
  else {
    at = scanString(bytes, start)
    hash = hashOf(stringAt(bytes, start, at))
  }
  if (hash === PROTO_HASH || hash === CONSTRUCTOR_HASH || hash === PROTOTYPE_HASH)
    refuseForbidden(stringAt(bytes, start, at), start)
  const base = depth * KEYS_COMPARED
  for (let slot = base; slot < base + count; slot++) {
    if (keyHashes[slot] !== hash) continue
    const earlier = stringAt(bytes, keyStarts[slot] ?? 0, keyEnds[slot] ?? 0)
    // guard duplicate-keys: no request means one thing to one reader and another to the next
    if (earlier === stringAt(bytes, start, at)) throw new JsonRefused('duplicate key', start)
  }
  keyHashes[base + count] = hash
  keyStarts[base + count] = start
  keyEnds[base + count] = at
  return at
}

function scanKeyInto(bytes: Uint8Array, start: number, seen: Set<string>): number {
  const end = scanString(bytes, start)
  const key = stringAt(bytes, start, end)
  refuseForbidden(key, start)
  // guard duplicate-keys-among-many: a duplicate key is found among many, too
  if (seen.has(key)) throw new JsonRefused('duplicate key', start)
  seen.add(key)
  return end
}

function keysOf(bytes: Uint8Array, depth: number): Set<string> {
  const keys = new Set<string>()
  const base = depth * KEYS_COMPARED
  for (let slot = base; slot < base + KEYS_COMPARED; slot++) {
    keys.add(stringAt(bytes, keyStarts[slot] ?? 0, keyEnds[slot] ?? 0))
  }
  return keys
}

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const PROTO_HASH = hashOf('__proto__')
const CONSTRUCTOR_HASH = hashOf('constructor')
const PROTOTYPE_HASH = hashOf('prototype')

function refuseForbidden(key: string, at: number): void {
  // guard forbidden-keys: no request reaches a prototype
  if (FORBIDDEN_KEYS.has(key)) throw new JsonRefused('key is not allowed', at)
}

function hashOf(key: string): number {
  let hash = 0
  for (const byte of Buffer.from(key)) hash = (Math.imul(hash, 31) + byte) | 0
  return hash
}

/** The value of a string literal that the scan has already accepted. */
function stringAt(bytes: Uint8Array, start: number, end: number): string {
  const value: string = JSON.parse(
    Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'),
  )
  return value
}

function scanString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  for (;;) {
    let byte = byteAt(bytes, at)
    while (STOPS[byte] === 0) byte = byteAt(bytes, ++at)
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at = scanEscape(bytes, at)
    else if (at >= bytes.length) throw new JsonRefused('unterminated string', start)
    else throw new JsonRefused('control character in a string', at)
  }
}

function scanEscape(bytes: Uint8Array, at: number): number {
  switch (byteAt(bytes, at + 1)) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // solidus
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 2
    case 0x75: // u
      return scanUnicodeEscape(bytes, at)
    default:
      throw new JsonRefused('invalid escape', at)
  }
}

function scanUnicodeEscape(bytes: Uint8Array, at: number): number {
  const unit = hex4(bytes, at + 2)
  if (unit < 0) throw new JsonRefused('invalid escape', at)
  // guard no-nul: no text comes in that the database cannot hold
  if (unit === 0) throw new JsonRefused('NUL character in a string', at)
  if (unit < 0xd800 || unit > 0xdfff) return at + 6
  const paired = unit < 0xdc00 && byteAt(bytes, at + 6) === BACKSLASH && byteAt(bytes, at + 7) === 0x75
  const low = paired ? hex4(bytes, at + 8) : -1
  if (low < 0xdc00 || low > 0xdfff) throw new JsonRefused('lone surrogate in a string', at)
  return at + 12
}

function hex4(bytes: Uint8Array, at: number): number {
  let unit = 0
  for (let i = at; i < at + 4; i++) {
    const byte = byteAt(bytes, i)
    const lower = byte | 0x20
    if (isDigit(byte)) unit = unit * 16 + (byte - 0x30)
    else if (lower >= 0x61 && lower <= 0x66) unit = unit * 16 + (lower - 0x57)
    else return -1
  }
  return unit
}

function scanNumber(bytes: Uint8Array, start: number): number {
  const negative = byteAt(bytes, start) === 0x2d
  const first = negative ? start + 1 : start
  if (!isDigit(byteAt(bytes, first))) throw new JsonRefused('expected a value', start)
  let at = first + 1
  if (byteAt(bytes, first) !== 0x30) at = skipDigits(bytes, at)
  else if (isDigit(byteAt(bytes, at))) throw new JsonRefused('leading zero in a number', start)
  const integerDigits = at - first
  if (byteAt(bytes, at) === 0x2e) {
    hasDecimals = true
    at = someDigits(bytes, at + 1, start)
  }
  let exponent = false
  if ((byteAt(bytes, at) | 0x20) === 0x65) {
    exponent = true
    const sign = byteAt(bytes, at + 1)
    at = someDigits(bytes, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1, start)
  }
  // Fifteen digits are always exact in a double; only the value of longer and scaled numbers must be checked.
  // guard exact-numbers: no amount is rounded on its way in
  if (exponent || integerDigits > 15) refuseInexact(bytes, start, at)
  return at
}

function refuseInexact(bytes: Uint8Array, start: number, end: number): void {
  const number = Number(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1'))
  // Every double beyond the safe range is an integer, so this also catches 1.5e300 and the infinity of 1e400.
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new JsonRefused('number out of range', start)
}

function someDigits(bytes: Uint8Array, at: number, start: number): number {
  const end = skipDigits(bytes, at)
  if (end === at) throw new JsonRefused('invalid number', start)
  return end
}

function skipDigits(bytes: Uint8Array, start: number): number {
  let at = start
  while (isDigit(byteAt(bytes, at))) at++
  return at
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function scanWord(bytes: Uint8Array, at: number, word: string): number {
  for (let i = 0; i < word.length; i++) {
    if (byteAt(bytes, at + i) !== word.charCodeAt(i)) throw new JsonRefused('expected a value', at)
  }
  return at + word.length
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start
  let byte = byteAt(bytes, at)
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = byteAt(bytes, ++at)
  return at
}

/** Zero after the end: no grammar rule accepts a zero byte, so the scan needs no other bounds check. */
function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0
}

function charsBefore(bytes: Uint8Array, end: number): number {
  let chars = 0
  for (let at = 0; at < end; at++) {
    if ((byteAt(bytes, at) & 0xc0) !== 0x80) chars++
  }
  return chars
}

/** Decoding replaces the first invalid sequence by U+FFFD, so the bytes differ from there on. */
function firstInvalidByte(buffer: Buffer): number {
  const replaced = Buffer.from(buffer.toString('utf8'))
  let at = 0
  while (at < buffer.length && buffer[at] === replaced[at]) at++
  return at
}
