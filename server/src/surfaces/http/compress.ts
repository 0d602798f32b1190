import { promisify } from 'node:util'
import { gzip, gzipSync, type ZlibOptions } from 'node:zlib'
import { bestCoding, type Coding } from './negotiate.ts'

const zip = promisify(gzip)

/** A smaller answer fits a few packets as it is, and what would be saved is less than what packing costs. */
const bytesMin = 8 * 1024

/** Up to here packing takes a tenth of a millisecond, and handing it to a thread takes longer than that. */
const inPlaceMax = 64 * 1024

/** Larger answers that are packed at once, in threads. The next ones go out as they are, which is what a busy server does best. */
const atOnceMax = 8

/**
 * The fastest level: the usual one takes more than twice as long, and makes a list smaller by a fiftieth. The window is small, so that
 * it takes 64 KB of memory in place of 268, which cost more to get than the packing.
 */
const packing: ZlibOptions = { level: 1, windowBits: 13, memLevel: 6 }

const codings: readonly Coding[] = ['identity', 'gzip']

type Answered = { status: number; headers: Readonly<Record<string, string>>; body: string | Uint8Array }

/** Packs an answer for a client that unpacks it; null: it goes out as it is, whatever the client takes. */
export type Compress = (
  answered: Answered & { body: string },
  acceptEncoding: string | undefined,
) => Promise<Answered> | null

/**
 * For answers that say what is there: lists, objects, searches. What an operation changes it may answer with a secret that is shown this
 * once, beside text that somebody else chose; the length of a packed answer tells how much the two have in common, so these are never
 * packed. Nor are pages of forms, which browsers open with a cookie for whoever makes them.
 */
export function createCompress(): Compress {
  let underWay = 0
  return (answered, acceptEncoding) => {
    if (answered.body.length < bytesMin) return null
    const plain = { ...answered, headers: { ...answered.headers, vary: varyOf(answered) } }
    if (bestCoding(acceptEncoding, codings) !== 'gzip') return Promise.resolve(plain)
    if (plain.body.length <= inPlaceMax) return Promise.resolve(packed(plain, gzipSync(plain.body, packing)))
    return underWay < atOnceMax ? packApart(plain) : Promise.resolve(plain)
  }

  async function packApart(plain: Answered): Promise<Answered> {
    underWay += 1
    try {
      return packed(plain, await zip(plain.body, packing))
    } finally {
      underWay -= 1
    }
  }
}

function packed({ status, headers }: Answered, body: Uint8Array): Answered {
  return { status, headers: { ...headers, 'content-encoding': 'gzip' }, body }
}

function varyOf({ headers }: Answered): string {
  return headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`
}
