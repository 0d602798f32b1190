import { processEnvironment } from '../../platform/config/config.ts'
import { CommandFailure } from '../failure.ts'
import { roleConfig } from '../role-config.ts'

/** An import as the API shows it. */
export type ImportAnswer = {
  object: 'catalog_import'
  id: string
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  bytes: number
  progress: {
    bytes: number
    rows: number
    created: number
    updated: number
    unchanged: number
    failed: number
  }
  errors: { line: number; loc: (string | number)[]; msg: string }[]
  failure: string | null
}

/** The command's side of the wire: an ordinary client of the public interface, for one merchant. */
export type CatalogApi = {
  get(path: string): Promise<ImportAnswer>
  /** Sends a file as it is on the disk; `onSent` gets the number of bytes sent so far. */
  post(path: string, body: Blob, onSent: (bytes: number) => void): Promise<ImportAnswer>
  /** The content as it arrives; fails in words where it breaks off. */
  download(path: string, type: string): Promise<AsyncIterable<Uint8Array>>
}

/**
 * How many milliseconds a server may be silent: where it has little to do; before an export, which the API itself lets wait five seconds
 * for its turn; and while a large file is on its way or being stored.
 */
const silenceMs = { small: 5_000, export: 10_000, large: 60_000 }
const smallBytesMax = 1 << 20
const chunkBytes = 1 << 16

export function catalogApi({ url, key, state }: { url?: string; key?: string; state?: string }): CatalogApi {
  const token = key ?? processEnvironment().PROKURA_API_KEY
  if (!token)
    throw new CommandFailure('There is no API key. Set PROKURA_API_KEY to a secret key of the merchant.')
  const base = (url ?? serviceUrl(state)).replace(/\/+$/, '')
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    throw new CommandFailure('--url must be the address of the API, such as http://127.0.0.1:3000.')

  async function call(path: string, type: string, request: Sending = {}): Promise<Response> {
    const { silence = new Silence(silenceMs.small), ...init } = request
    const headers = { authorization: `Bearer ${token}`, accept: type, ...init.headers }
    const response = await fetch(`${base}${path}`, { ...init, headers, signal: silence.signal })
      .catch((error: unknown) => {
        throw new CommandFailure(
          `${base} cannot be reached: ${silence.words() ?? causeOf(error)}. Check that the service runs, or name its address with --url.`,
        )
      })
      .finally(() => silence.end())
    if (!response.ok)
      throw new CommandFailure(`${base}${path} answered ${response.status}: ${await refusalOf(response)}`)
    const answered = response.headers.get('content-type')?.split(';')[0]?.trim() ?? 'no content type'
    if (answered.toLowerCase() !== type)
      throw new CommandFailure(
        `${base} answered with ${answered} instead of ${type}, so it is probably not the API of Prokura. Correct --url.`,
      )
    return response
  }

  async function importFrom(path: string, request?: Sending): Promise<ImportAnswer> {
    const response = await call(path, 'application/json', request)
    const answer: unknown = await response.json().catch((error: unknown) => {
      throw new CommandFailure(`The answer of ${base} broke off: ${causeOf(error)}. Try again.`)
    })
    if (isImport(answer)) return answer
    throw new CommandFailure(
      `${base} answered something other than an import, so it is probably not the API of Prokura. Correct --url.`,
    )
  }

  return {
    get: (path) => importFrom(path),
    post: (path, body, onSent) => importFrom(path, upload(body, onSent)),
    async download(path, type) {
      const { body } = await call(path, type, { silence: new Silence(silenceMs.export) })
      if (!body) throw new CommandFailure(`${base}${path} answered without a body.`)
      return whole(body, base)
    },
  }
}

type Sending = Omit<RequestInit, 'signal' | 'headers'> & {
  headers?: Record<string, string>
  silence?: Silence
  duplex?: 'half'
}

/** Read from the disk as fast as the server accepts it. */
function upload(file: Blob, onSent: (bytes: number) => void): Sending {
  const silence = new Silence(silenceMs.small)
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (sent === file.size) return controller.close()
        // The connection exists, and how long a large file takes is not known.
        silence.begin(file.size > smallBytesMax ? silenceMs.large : silenceMs.small)
        const chunk = await file.slice(sent, sent + chunkBytes).arrayBuffer()
        sent += chunk.byteLength
        controller.enqueue(new Uint8Array(chunk))
        onSent(sent)
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { 'content-type': file.type, 'content-length': String(file.size) }
  // An empty stream would be sent as no body at all.
  return file.size === 0
    ? { method: 'POST', headers, body: file, silence }
    : { method: 'POST', headers, body, duplex: 'half', silence }
}

/** Ends a request whose other side has sent nothing, and accepted nothing, for too long. */
class Silence {
  readonly #abort = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #ms = 0

  constructor(ms: number) {
    this.begin(ms)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Counts from this moment on. */
  begin(ms: number): void {
    this.end()
    this.#ms = ms
    this.#timer = setTimeout(() => this.#abort.abort(), ms)
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  words(): string | null {
    return this.signal.aborted ? `it did not answer within ${this.#ms / 1000} seconds` : null
  }
}

async function* whole(body: AsyncIterable<Uint8Array>, base: string): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw new CommandFailure(`The export of ${base} broke off before its end: ${causeOf(error)}. Try again.`)
  }
}

function isImport(answer: unknown): answer is ImportAnswer {
  return (
    typeof answer === 'object' && answer !== null && 'object' in answer && answer.object === 'catalog_import'
  )
}

/** Of an error of fetch, only the cause says anything. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error && cause.message !== '' ? cause.message : 'no answer'
}

function serviceUrl(state: string | undefined): string {
  const { publicUrl, host, port } = roleConfig(state)
  return publicUrl ?? `http://${host}:${port}`
}

async function refusalOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null)
  const detail = (body as { detail?: { message?: string } | { msg: string }[] } | null)?.detail // our own contract defines it
  if (Array.isArray(detail)) return detail.map(({ msg }) => msg).join(', ')
  return detail?.message ?? response.statusText
}
