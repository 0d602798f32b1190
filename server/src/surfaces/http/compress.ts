import { promisify } from 'node:util'
import { gzip, gzipSync, type ZlibOptions } from 'node:zlib'
import { bestCoding, type Coding } from './negotiate.ts'

const zip = promisify(gzip)

/** A smaller answer fits into a few packets as it is, and compression would save less than it costs. */
const bytesMin = 8 * 1024

/** Up to this size compression takes a tenth of a millisecond, and handing it to a thread takes longer. */
const inPlaceMax = 64 * 1024

/** How many larger answers are compressed at once, in threads. Further ones are sent as they are, which is best for a busy server. */
const atOnceMax = 8

/**
 * The fastest level: the usual one takes more than twice as long, and makes a list smaller by a fiftieth. The window is small, so that it
 * takes 64 KB of memory instead of 268, which cost more to allocate than the compression itself.
 */
const packing: ZlibOptions = { level: 1, windowBits: 13, memLevel: 6 }

const codings: readonly Coding[] = ['identity', 'gzip']

type Answered = { status: number; headers: Readonly<Record<string, string>>; body: string | Uint8Array }

/** Compresses an answer for a client that accepts it; null: it is sent as it is, whatever the client accepts. */
export type Compress = (
  answered: Answered & { body: string },
  acceptEncoding: string | undefined,
) => Promise<Answered> | null

/**
 * For answers that only read: lists, objects, searches. An operation that changes something may answer with a secret that is shown only
 * once, beside text that somebody else chose. The length of a compressed answer tells how much the two have in common, so these are never
 * compressed. Nor are pages of forms, because a browser opens them with a cookie for anybody who makes it do so.
 */
export function createCompress(): Compress {
  let underWay = 0
  return (answered, acceptEncoding) => {
    if (answered.body.length < bytesMin) return null
    const plain = { ...answered, headers: { ...answered.headers, vary: varyOf(answered) } }
    if (bestCoding(acceptEncoding, codings) !== 'gzip') return Promise.resolve(plain)
    if (plain.body.length <= inPlaceMax) return Promise.resolve(packed(plain, gzipSync(plain.body, packing)))
    // guard packing-is-bounded: many readers of large lists do not fill the memory
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
