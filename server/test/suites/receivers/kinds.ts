import type { ServerResponse } from 'node:http'

/** Who gets the events: a merchant those of its orders, or a buyer's account its own. */
export type Audience = 'merchant' | 'buyer'

/** How an endpoint behaves, and the state of its deliveries when everything that can recover has recovered. */
export const fates = {
  healthy: 'arrives',
  slow: 'arrives',
  /** 429 with Retry-After, twice. */
  busy: 'arrives',
  /** 500 at the first attempt of each event. */
  flaky: 'arrives',
  broken: 'never',
  gone: 'gone',
  redirect: 'never',
  hang: 'never',
  /** Answers long after the attempt was given up. */
  late: 'never',
  /** Half of the head, then a reset. */
  half: 'never',
  /** 200, and a body that is cut off: acknowledged. */
  cut: 'arrives',
  /** 200, and a body without end: acknowledged. */
  endless: 'arrives',
  /** A megabyte of headers. */
  wide: 'never',
  /** An untrusted certificate. */
  tls: 'never',
  /** Another protocol than HTTP. */
  gibberish: 'never',
  /** 200, and bytes that are no text. */
  binary: 'arrives',
  /** Two answers for one request, the second saying the opposite of the first. */
  double: 'arrives',
  /** Its port is closed for a while. */
  refuse: 'arrives',
  /** Its process is killed, and comes back on the same port. */
  dies: 'arrives',
  /** Verifies with a wrong secret, until its operator notices. */
  wrong_secret: 'arrives',
} as const

export type Kind = keyof typeof fates
export type Fate = (typeof fates)[Kind]

export const troubled = Object.keys(fates).filter((kind) => kind !== 'healthy') as Kind[]

/** The header of the wait that a busy endpoint asks for. */
export const retryAfterSeconds = 90

const lateMs = 16_500
const redirects = [301, 302, 303, 307, 308]

type Occasion = {
  /** How often this event was received here before. */
  seen: number
  random: () => number
  /** The target that a redirect must never reach. */
  canaries: readonly string[]
  /** Whether a signature was accepted under the secret that this endpoint uses. */
  isTrusted: boolean
}

/** An answer: the status that acknowledges or refuses, null when there is never a whole answer. */
type Reply = { status: number | null; send(response: ServerResponse): void }

export function replyAs(kind: Kind, { seen, random, canaries, isTrusted }: Occasion): Reply {
  switch (kind) {
    case 'slow': {
      // One to five seconds, mostly two.
      const waitMs = 1000 + Math.floor(random() ** 3 * 4000)
      return { status: 200, send: (response) => void setTimeout(() => response.end('ok'), waitMs) }
    }
    case 'busy':
      return seen < 2 ? plain(429, { 'retry-after': String(retryAfterSeconds) }) : plain(200)
    case 'flaky':
      return seen === 0 ? plain(500) : plain(200)
    case 'broken':
      return plain(500)
    case 'gone':
      return plain(410)
    case 'wrong_secret':
      return isTrusted ? plain(200) : plain(401)
    case 'redirect': {
      const location = canaries[seen % canaries.length] ?? ''
      return plain(redirects[seen % redirects.length] ?? 302, { location })
    }
    case 'binary':
      return {
        status: 200,
        send: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(noText),
      }
    case 'endless':
      return { status: 200, send: (response) => pour(response.writeHead(200)) }
    case 'cut':
      return { status: 200, send: cutOff }
    case 'hang':
      return { status: null, send: () => undefined }
    case 'late':
      return {
        status: null,
        send: (response) => void setTimeout(() => raw(response, whole('200 OK')), lateMs),
      }
    case 'half':
      return { status: null, send: (response) => raw(response, 'HTTP/1.1 200 OK\r\ncontent-ty', 'reset') }
    case 'wide':
      return { status: null, send: (response) => raw(response, wideHead, 'end') }
    case 'gibberish':
      return { status: null, send: (response) => raw(response, 'SSH-2.0-OpenSSH_9.9\r\n\0\0\0\u0001', 'end') }
    case 'double':
      return seen === 0
        ? { status: 500, send: (response) => raw(response, whole('500 No') + whole('200 OK')) }
        : { status: 200, send: (response) => raw(response, whole('200 OK') + whole('500 No')) }
    case 'healthy':
    case 'refuse':
    case 'dies':
    case 'tls':
      return plain(200)
  }
}

function plain(status: number, headers: Record<string, string> = {}): Reply {
  return { status, send: (response) => void response.writeHead(status, headers).end(`said ${status}`) }
}

/** Bytes that no HTTP server would send by itself. */
function raw({ socket }: ServerResponse, text: string, then?: 'end' | 'reset'): void {
  if (socket === null || socket.destroyed) return
  socket.write(text, () => {
    if (then === 'end') socket.end()
    if (then === 'reset') socket.resetAndDestroy()
  })
}

function whole(line: string): string {
  return `HTTP/1.1 ${line}\r\ncontent-length: 2\r\n\r\n--`
}

const wideHead = `HTTP/1.1 200 OK\r\n${`x-wide: ${'w'.repeat(1000)}\r\n`.repeat(1000)}\r\n`
const noText = Buffer.from([0, 0xff, 0xed, 0xa0, 0x80, 0, 0x1b, 0xc0, 0x80, ...Array<number>(3000).fill(0)])

function cutOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('so far', () => response.socket?.resetAndDestroy())
}

function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, 'x')
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}
