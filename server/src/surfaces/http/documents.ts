import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { QueryReader } from '../../platform/calls/arguments.ts'
import type { Exchange } from './exchange.ts'
import { inSlices } from './in-slices.ts'
import { acceptedType, bestCoding, type Coding } from './negotiate.ts'
import type { Http } from './surface.ts'

/** A public document of this process: every reader gets the same bytes. */
type PublicDocument = {
  path: `/${string}`
  type: string
  /** How long a client may keep it without asking again. */
  maxAgeSeconds: number
  /** Whether this address never has another content: then nobody asks again while it is kept. */
  isImmutable?: boolean
  /** Called once, for the first reader. */
  make: () => string | Uint8Array | Promise<string | Uint8Array>
  headers?: Readonly<Record<string, string>>
  /** Refuses what the document cannot be asked. */
  readQuery?: QueryReader
}

type Representation = { body: Buffer; etag: string }
type Made = Readonly<Record<Coding, Representation>>

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
/** It takes half a second for the largest; the next levels take ten times as long to save a tenth. */
const quality = 5

/** Smaller ones last. */
const codings: readonly Coding[] = ['identity', 'gzip', 'br']

/**
 * Mounts documents as bytes that are made and compressed once and shared by all answers: however many slow readers there are, the process
 * holds one copy. Documents of one path are one thing in several types: `Accept` chooses, and if it accepts none of them, the first is
 * sent.
 */
export function registerDocuments({ route, edge }: Http, documents: readonly PublicDocument[]): void {
  for (const [path, ofPath] of Map.groupBy(documents, ({ path }) => path)) {
    const [first, ...others] = ofPath.map(keep)
    if (!first) continue
    const kept = [first, ...others]
    const types = kept.map(mediaTypeOf)
    const vary = others.length > 0 ? 'Accept, Accept-Encoding' : 'Accept-Encoding'
    route({
      methods: ['GET', 'HEAD'],
      path,
      async serve(exchange) {
        first.document.readQuery?.(exchange.query)
        const type = acceptedType(types, exchange.request.headers.accept)
        const { document, made } = kept.find((one) => mediaTypeOf(one) === type) ?? first
        send(exchange, { document, made: await made(), head: { ...edge.base, vary } })
      },
    })
  }
}

/** One such document, for a route that finds its documents itself. */
export function documentServer(
  { edge }: Http,
  document: PublicDocument,
): (exchange: Exchange) => Promise<void> {
  const { made } = keep(document)
  return async (exchange) =>
    send(exchange, { document, made: await made(), head: { ...edge.base, vary: 'Accept-Encoding' } })
}

type Kept = { document: PublicDocument; made: () => Promise<Made> }

function mediaTypeOf({ document: { type } }: Kept): string {
  return type.split(';')[0] ?? type
}

function keep(document: PublicDocument): Kept {
  let making: Promise<Made> | undefined
  const made = () => {
    making ??= make(document)
    // After a failure the next reader tries again.
    making.catch(() => {
      making = undefined
    })
    return making
  }
  return { document, made }
}

async function make(document: PublicDocument): Promise<Made> {
  const made = await document.make()
  const body =
    typeof made === 'string' ? Buffer.from(made) : Buffer.from(made.buffer, made.byteOffset, made.byteLength)
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const [br, gz] = await Promise.all([
    brotli(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
    zip(body),
  ])
  return {
    identity: { body, etag: `"${digest}"` },
    br: { body: br, etag: `"${digest}-br"` },
    gzip: { body: gz, etag: `"${digest}-gz"` },
  }
}

type Sending = { document: PublicDocument; made: Made; head: Readonly<Record<string, string>> }

function send({ id, request, response }: Exchange, { document, made, head }: Sending): void {
  const coding = bestCoding(request.headers['accept-encoding'], codings)
  const { body, etag } = made[coding]
  const headers = {
    ...head,
    'request-id': id,
    ...document.headers,
    etag,
    'cache-control': `public, max-age=${document.maxAgeSeconds}${document.isImmutable ? ', immutable' : ''}`,
  }
  if (isKnown(request.headers['if-none-match'], Object.values(made)))
    return void response.writeHead(304, headers).end()
  response.writeHead(200, {
    ...headers,
    'content-type': document.type,
    ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    'content-length': body.length,
  })
  const sent = inSlices(body)
  if (request.method === 'HEAD') response.end()
  else if (sent instanceof Buffer) response.end(sent)
  // A reader that leaves in the middle needs no more.
  else pipeline(sent, response, () => undefined)
}

/** Whichever coding it was fetched in: the document is the same. */
function isKnown(given: string | undefined, made: readonly Representation[]): boolean {
  if (given === undefined) return false
  if (given.trim() === '*') return true
  const known = given.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return made.some(({ etag }) => known.includes(etag))
}
