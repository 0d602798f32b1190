import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { bestCoding, type Coding } from './negotiate.ts'

const zip = promisify(gzip)

/** A smaller answer fits a few packets as it is, and what would be saved is less than what packing costs. */
const bytesMin = 8 * 1024

/**
 * Answers that are packed at once: each takes a quarter of a megabyte meanwhile, and a thread. The next ones go out as they are, which is
 * what a busy server does best.
 */
const atOnceMax = 8

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
    const headers = { ...answered.headers, vary: varyOf(answered) }
    return underWay < atOnceMax && bestCoding(acceptEncoding, codings) === 'gzip'
      ? packed({ ...answered, headers })
      : Promise.resolve({ ...answered, headers })
  }

  async function packed({ status, headers, body }: Answered): Promise<Answered> {
    underWay += 1
    try {
      // The fastest level: the usual one takes more than twice as long, and makes a list smaller by a fiftieth.
      const zipped = await zip(body, { level: constants.Z_BEST_SPEED })
      return { status, headers: { ...headers, 'content-encoding': 'gzip' }, body: zipped }
    } finally {
      underWay -= 1
    }
  }
}

function varyOf({ headers }: Answered): string {
  return headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`
}
