/** Every prefix of our ids, with what it names. Each slice adds its own here, by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slices
export interface IdPrefixes {}

export type IdPrefix = keyof IdPrefixes & string

/** `prefix_` and 26 characters: a UUIDv7 in lower-case Crockford base32, so that ids sort by the time they were made. */
export type Id<P extends IdPrefix> = `${P}_${string}`

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** The JSON Schema pattern of ids with this prefix. */
export function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`
}

const tailBytes = 8
const tailsAtOnce = 128

export type IdSource = <P extends IdPrefix>(prefix: P, atMs: number) => Id<P>

/**
 * Makes ids that ascend within this process even inside one millisecond: the 12 bits after the time count up. `random` fills the rest; it
 * is called for many ids at once, since a call costs more than the bytes.
 */
export function createIdSource(random: (length: number) => Uint8Array): IdSource {
  let lastMs = 0
  let counter = 0
  let pool = new Uint8Array()
  let used = 0

  function tail(): Uint8Array {
    if (used === pool.length) {
      pool = new Uint8Array(random(tailBytes * tailsAtOnce))
      used = 0
    }
    used += tailBytes
    return pool.subarray(used - tailBytes, used)
  }

  return (prefix, atMs) => {
    if (atMs > lastMs) {
      lastMs = atMs
      counter = 0
    } else if (++counter > 0xfff) {
      lastMs += 1
      counter = 0
    }
    return `${prefix}_${encode(uuidV7(lastMs, counter, tail()))}`
  }
}

/** The id of a part: the time of its whole, so that ids still sort by time, and 74 bits of a hash of the part and its whole. */
export function hashedPartId<P extends IdPrefix>(prefix: P, whole: Id<IdPrefix>, hash: Uint8Array): Id<P> {
  const counter = ((hash[0] ?? 0) << 8) | (hash[1] ?? 0)
  return `${prefix}_${encode(uuidV7(idTimeMs(whole), counter & 0xfff, hash.subarray(2, 2 + tailBytes)))}`
}

/** A UUIDv7: 48 bits of time, the version, the counter, the variant, and 62 random bits. */
function uuidV7(ms: number, counter: number, tail: Uint8Array): Uint8Array {
  const high = Math.floor(ms / 0x1_0000)
  const low = ms % 0x1_0000
  const bytes = new Uint8Array(16)
  bytes[0] = high >>> 24
  bytes[1] = high >>> 16
  bytes[2] = high >>> 8
  bytes[3] = high
  bytes[4] = low >>> 8
  bytes[5] = low
  bytes[6] = 0x70 | (counter >>> 8)
  bytes[7] = counter
  bytes.set(tail, 8)
  bytes[8] = ((tail[0] ?? 0) & 0x3f) | 0x80
  return bytes
}

/** Two digits for each number of ten bits. */
const pairs = Array.from({ length: 1024 }, (_, bits) => `${alphabet[bits >>> 5]}${alphabet[bits & 31]}`)

/** 128 bits as 26 base32 digits: the first byte as two digits, of which the first holds three bits, then five bytes as eight each. */
function encode(bytes: Uint8Array): string {
  let text = pairs[byteAt(bytes, 0)] ?? ''
  for (let at = 1; at < 16; at += 5) {
    const second = byteAt(bytes, at + 1)
    const third = byteAt(bytes, at + 2)
    const fourth = byteAt(bytes, at + 3)
    text += pairs[(byteAt(bytes, at) << 2) | (second >>> 6)]
    text += pairs[((second & 63) << 4) | (third >>> 4)]
    text += pairs[((third & 15) << 6) | (fourth >>> 2)]
    text += pairs[((fourth & 3) << 8) | byteAt(bytes, at + 4)]
  }
  return text
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0
}

/** Below every id that was made in this millisecond or later, and above every earlier one. */
export function idFloor<P extends IdPrefix>(prefix: P, atMs: number): Id<P> {
  const bytes = new Uint8Array(16)
  bytes.set(uuidV7(atMs, 0, new Uint8Array(tailBytes)).subarray(0, 6))
  return `${prefix}_${encode(bytes)}`
}

/** The millisecond in which an id was made. */
export function idTimeMs(id: string): number {
  const digits = id.slice(id.lastIndexOf('_') + 1, id.lastIndexOf('_') + 11)
  let value = 0
  for (const digit of digits) value = value * 32 + alphabet.indexOf(digit)
  return value
}
