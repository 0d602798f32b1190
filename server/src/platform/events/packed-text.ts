import { isUtf8 } from 'node:buffer'
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { dictionaryOf, newestDictionary } from './dictionaries.ts'

/** No text in UTF-8 begins with it. Behind it: the number of the dictionary, and the size of the text in three bytes. */
const mark = 0xff
const headBytes = 5
/** What is shorter gains less than a row's own alignment takes. */
const worthwhileBytes = 64
/** What is longer stays as it is: PostgreSQL compresses it by itself, and `unpack_text` would take seconds for the largest. */
const packedBytesMax = 8192

/**
 * A text as it is stored: packed with the newest dictionary, or as it is where that is not shorter. Fixed codes alone (`Z_FIXED`):
 * they cost 7 % more bytes of an event than codes of its own, and `unpack_text` of the database can read them in 0.3 ms. Level 5 is
 * as fast as level 1 with texts of this size, and saves a seventh more.
 */
export function packText(text: string): Buffer {
  const plain = Buffer.from(text)
  if (plain.length < worthwhileBytes || plain.length > packedBytesMax) return plain
  const { number, bytes: dictionary } = newestDictionary
  const packed = deflateRawSync(plain, {
    level: 5,
    strategy: constants.Z_FIXED,
    windowBits: 14,
    memLevel: 6,
    chunkSize: 2048,
    dictionary,
  })
  if (headBytes + packed.length >= plain.length) return plain
  const head = Buffer.from([
    mark,
    number,
    plain.length >> 16,
    (plain.length >> 8) & 0xff,
    plain.length & 0xff,
  ])
  return Buffer.concat([head, packed])
}

/** The text, from either form. What no `packText` has written ends in an error, and takes no more memory than it says. */
export function unpackText(stored: Uint8Array): string {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  if (bytes[0] !== mark) return textOf(bytes)
  if (bytes.length <= headBytes) throw new Error('a packed text is broken: it ends within its head')
  const size = bytes.readUIntBE(2, 3)
  const dictionary = dictionaryOf(bytes.readUInt8(1))
  const unpacked = inflated(bytes.subarray(headBytes), dictionary, size)
  if (unpacked.length !== size)
    throw new Error(`a packed text is broken: it has ${unpacked.length} bytes, and says ${size}`)
  return textOf(unpacked)
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Error('a stored text is broken: it is not in UTF-8')
  return bytes.toString()
}

/** SQL for the size of the text that a column has in either form. */
export function sizeOfText(column: string): string {
  const byte = (place: number) => `get_byte(${column}, ${place})`
  return `case when ${byte(0)} = ${mark} then (${byte(2)} << 16) + (${byte(3)} << 8) + ${byte(4)} else length(${column}) end`
}

function inflated(packed: Buffer, dictionary: Buffer, size: number): Buffer {
  try {
    // guard bounded-unpacking: stored bytes that would unpack to more than they say end in an error
    return inflateRawSync(packed, { dictionary, maxOutputLength: Math.max(1, size) })
  } catch (error) {
    throw new Error('a packed text is broken: its bytes are not those that were written', { cause: error })
  }
}
