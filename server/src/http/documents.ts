import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inSlices } from './in-slices.ts'

/** A public document of this process: the same bytes for everybody. */
export type PublicDocument = {
  path: `/${string}`
  type: string
  /** How long a client may keep it without asking again. */
  maxAgeSeconds: number
  /** Asked once, by the first who wants to see it. */
  make: () => string | Uint8Array | Promise<string | Uint8Array>
  headers?: Readonly<Record<string, string>>
}

type Coding = 'br' | 'gzip' | 'identity'
type Representation = { body: Buffer; etag: string }
type Made = Readonly<Record<Coding, Representation>>

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
/** Half a second for the largest; the next levels take ten times as long for a tenth. */
const quality = 5

/**
 * Mounts documents as bytes that are made and compressed once and shared by all answers: however many readers take their time, the
 * process holds one copy.
 */
export function registerDocuments(app: FastifyInstance, documents: readonly PublicDocument[]): void {
  for (const document of documents) {
    let making: Promise<Made> | undefined
    const made = () => {
      making ??= make(document)
      // What failed is tried again by the next who asks.
      making.catch(() => {
        making = undefined
      })
      return making
    }
    app.route({
      method: ['GET', 'HEAD'],
      url: document.path,
      handler: async (request, reply) => send(request, reply, document, await made()),
    })
  }
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

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  document: PublicDocument,
  made: Made,
): FastifyReply {
  const coding = bestCoding(request.headers['accept-encoding'])
  const { body, etag } = made[coding]
  reply.headers({
    ...document.headers,
    etag,
    vary: 'Accept-Encoding',
    'cache-control': `public, max-age=${document.maxAgeSeconds}`,
  })
  if (isKnown(request.headers['if-none-match'], Object.values(made))) return reply.code(304).send()
  reply.type(document.type)
  if (coding !== 'identity') reply.header('content-encoding', coding)
  reply.header('content-length', body.length)
  return request.method === 'HEAD' ? reply.send() : reply.send(inSlices(body))
}

/** By whichever coding it was fetched: the document is the same. */
function isKnown(given: string | undefined, made: readonly Representation[]): boolean {
  if (given === undefined) return false
  if (given.trim() === '*') return true
  const known = given.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return made.some(({ etag }) => known.includes(etag))
}

/** Smaller ones last. */
const codings: readonly Coding[] = ['identity', 'gzip', 'br']

/** What the client likes best, and of what it likes equally the smallest. Who refuses everything gets the plain bytes. */
export function bestCoding(accept: string | undefined): Coding {
  if (accept === undefined) return 'identity'
  const weights = new Map<string, number>()
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name === 'x-gzip' ? 'gzip' : name, q === undefined ? 1 : Number(q) || 0)
  }
  const any = weights.get('*') ?? 0
  const weightOf = (coding: Coding) =>
    // Plain bytes are always welcome, but never more than what was asked for.
    weights.get(coding) ?? (coding === 'identity' ? Math.max(any, 0.001) : any)
  return codings.reduce((best, coding) => {
    const weight = weightOf(coding)
    return weight > 0 && weight >= weightOf(best) ? coding : best
  }, 'identity' as Coding)
}
