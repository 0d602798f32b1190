import { connect } from 'node:net'
import { patientMs } from '../gate/pace.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { person } from './fixtures.ts'
import { attackMemory } from './memory-attacks.ts'
import { nulCases } from './nul-cases.ts'
import { eachOf, type SuiteRun } from './suite.ts'

/** What came back on a connection until it closed or fell silent. */
type Heard = { text: string; closed: boolean; ms: number }

type Case = {
  name: string
  /** What is written, piece by piece; a number is a pause in milliseconds. */
  bytes: readonly (string | Buffer | number)[]
  /** The statuses of a refusal in the documented shape; nothing but a closed connection will do when there are none. */
  statuses: readonly number[]
  code?: string
  /** How many answers there may be at most: more would be a smuggled request. */
  answersMax?: number
  listenMs?: number
}

const silentMs = 700
const repeats = { gate: 40, long: 2000 } as const
const heapGrowthMax = 48 * 1024 * 1024

/** What no well-behaved client sends: refused in the documented shape or cut off, and nobody else notices. */
export async function runBadBytes(run: SuiteRun): Promise<void> {
  const { server, size, tally } = run
  const app = await startTestApp({ server })
  const wrong = [...documentCases(app), ...framingCases(app), ...slowCases(app)]
  const nuls = nulCases(app)
  async function judge(each: Case): Promise<void> {
    const fault = faultOf(each, await speak(app.url, each))
    if (fault === null) tally.pass()
    else tally.fail(`${each.name}: ${fault}`)
  }
  await Promise.all(wrong.map(judge))
  // One operation after the other: all of them at once, beside the others, would say how fast the machine is.
  await eachOf(nuls, 8, judge)
  await isAlive(app, tally)
  await isFlat(app, [...documentCases(app), ...framingCases(app)], repeats[size], tally)
  await isAlive(app, tally)
  const created = await app.get('/v1/profiles')
  if (created.body.total === 2) tally.pass()
  else tally.fail(`smuggled: ${created.body.total} profiles exist, two were created`)
  tally.figure('cases', wrong.length + nuls.length)
  await attackMemory(app, run)
  await app.stop()
}

function documentCases(app: TestApp): Case[] {
  const valid = JSON.stringify(person).slice(0, -1)
  const documents: Record<string, string | Buffer> = {
    'a duplicate key': `${valid},"email":"b@example.com"}`,
    'an escaped duplicate key': `${valid},"em\\u0061il":"b@example.com"}`,
    __proto__: `${valid},"__proto__":{"admin":true}}`,
    constructor: `${valid},"constructor":{"prototype":{}}}`,
    'an escaped __proto__': `${valid},"metadata":{"\\u005f_proto__":"x"}}`,
    'nesting of 33': `${valid},"metadata":${'['.repeat(33)}${']'.repeat(33)}}`,
    'nesting of 100,000': '['.repeat(100_000),
    '2^53': `${valid},"dob":{"day":9007199254740993,"month":1,"year":1990}}`,
    '1e400': `${valid},"dob":{"day":1e400,"month":1,"year":1990}}`,
    'a lone surrogate': `${valid},"metadata":{"a":"\\ud800"}}`,
    'an escaped NUL': `${valid},"metadata":{"a":"\\u0000"}}`,
    'a raw control character': `${valid},"metadata":{"a":"\u0001"}}`,
    'bytes that are no UTF-8': Buffer.concat([
      Buffer.from(`${valid},"metadata":{"a":"`),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}}'),
    ]),
    'an overlong encoding': Buffer.concat([
      Buffer.from(`${valid},"metadata":{"a":"`),
      Buffer.from([0xc0, 0xaf]),
      Buffer.from('"}}'),
    ]),
    'UTF-16': Buffer.from(`${valid}}`, 'utf16le'),
    'a byte order mark': `\ufeff${valid}}`,
    'a cut document': valid,
    'two documents': `${valid}}${valid}}`,
    'a comment': `${valid}/* hello */}`,
    'single quotes': "{'first_name':'Ada'}",
    NaN: `${valid},"dob":NaN}`,
    'a trailing comma': `${valid},}`,
    'only spaces': '   ',
  }
  const cases = Object.entries(documents).flatMap(([name, document]) =>
    ['/v1/profiles', '/mcp/v1'].map(
      (path): Case => ({
        name: `${name} at ${path}`,
        bytes: request(app, path, document),
        statuses: [422],
        code: 'json_invalid',
      }),
    ),
  )
  const keys = Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join()
  const big = `{"a":"${'x'.repeat(300 * 1024)}"}`
  return [
    ...cases,
    { name: '20,000 keys', bytes: request(app, '/v1/profiles', `{${keys}}`), statuses: [422] },
    {
      name: 'a body over 256 KiB',
      bytes: request(app, '/v1/profiles', big),
      statuses: [413],
      code: 'payload_too_large',
    },
    {
      name: 'a tool call over 256 KiB',
      bytes: request(app, '/mcp/v1', big),
      statuses: [413],
      code: 'payload_too_large',
    },
    {
      name: 'a chunked body over 256 KiB',
      bytes: [
        head(app, '/v1/profiles', ['Transfer-Encoding: chunked']),
        ...Array.from({ length: 40 }, () => chunk('x'.repeat(10_000))),
      ],
      statuses: [413],
      code: 'payload_too_large',
    },
    {
      name: 'a compression bomb',
      bytes: request(app, '/v1/profiles', Buffer.alloc(1000, 0x1f), ['Content-Encoding: gzip']),
      statuses: [415, 422],
    },
    {
      name: 'another content type',
      bytes: [`${head(app, '/v1/profiles', ['Content-Length: 2'], 'text/xml')}{}`],
      statuses: [415],
      code: 'unsupported_media_type',
    },
    {
      name: 'a form',
      bytes: [`${head(app, '/v1/profiles', ['Content-Length: 3'], 'application/x-www-form-urlencoded')}a=b`],
      statuses: [415],
    },
  ]
}

function framingCases(app: TestApp): Case[] {
  const key = `Authorization: Bearer ${app.account.keys.secret_test}`
  const body = JSON.stringify({ ...person, first_name: 'Smuggled' })
  const inner = `POST /v1/profiles HTTP/1.1\r\nHost: x\r\n${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const cut = [400, 408, 413, 414, 431, 501, 505]
  return [
    {
      name: 'CL.TE',
      bytes: [
        head(app, '/v1/profiles', ['Content-Length: 6', 'Transfer-Encoding: chunked']),
        `0\r\n\r\n${inner}`,
      ],
      statuses: cut,
    },
    {
      name: 'TE.CL',
      bytes: [
        head(app, '/v1/profiles', ['Transfer-Encoding: chunked', 'Content-Length: 4']),
        `5c\r\n${inner}\r\n0\r\n\r\n`,
      ],
      statuses: cut,
    },
    {
      name: 'TE.TE',
      bytes: [
        head(app, '/v1/profiles', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']),
        `0\r\n\r\n${inner}`,
      ],
      statuses: cut,
    },
    {
      name: 'an odd transfer encoding',
      bytes: [head(app, '/v1/profiles', ['Transfer-Encoding: xchunked']), `0\r\n\r\n${inner}`],
      statuses: cut,
    },
    {
      name: 'two lengths',
      bytes: [head(app, '/v1/profiles', ['Content-Length: 0', `Content-Length: ${inner.length}`]), inner],
      statuses: cut,
    },
    {
      name: 'a negative length',
      bytes: [head(app, '/v1/profiles', ['Content-Length: -1']), inner],
      statuses: cut,
    },
    {
      name: 'a length that is no number',
      bytes: [head(app, '/v1/profiles', ['Content-Length: 0x10']), inner],
      statuses: cut,
    },
    {
      name: 'a chunk size that is no number',
      bytes: [head(app, '/v1/profiles', ['Transfer-Encoding: chunked']), 'zz\r\n{}\r\n0\r\n\r\n'],
      statuses: cut,
    },
    {
      name: 'an endless chunk size',
      bytes: [head(app, '/v1/profiles', ['Transfer-Encoding: chunked']), `${'f'.repeat(20)}\r\n{}\r\n`],
      statuses: cut,
    },
    {
      name: 'a chunk longer than its size',
      bytes: [head(app, '/v1/profiles', ['Transfer-Encoding: chunked']), `1\r\n${inner}\r\n0\r\n\r\n`],
      statuses: cut,
    },
    {
      name: 'a bare line feed',
      bytes: [`POST /v1/profiles HTTP/1.1\nHost: x\n${key}\nContent-Length: 0\n\n`],
      statuses: [...cut, 415, 422],
    },
    {
      name: 'a folded header',
      bytes: [`GET /v1/profiles HTTP/1.1\r\nHost: x\r\nX-A: b\r\n  folded\r\n\r\n`],
      statuses: [...cut, 401],
    },
    {
      name: 'a space before the colon',
      bytes: [`GET /v1/profiles HTTP/1.1\r\nHost: x\r\nAuthorization : Bearer y\r\n\r\n`],
      statuses: cut,
    },
    {
      name: 'a NUL in a header',
      bytes: [`GET /v1/profiles HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n`],
      statuses: cut,
    },
    {
      name: 'headers of 100 KiB',
      bytes: [`GET /v1/profiles HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(100 * 1024)}\r\n\r\n`],
      statuses: cut,
    },
    {
      name: '5,000 headers',
      bytes: [`GET /v1/profiles HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(5000)}\r\n`],
      statuses: [...cut, 401],
    },
    {
      name: 'a path of 50 KiB',
      bytes: [`GET /v1/profiles/${'a'.repeat(50 * 1024)} HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`],
      statuses: [...cut, 404],
    },
    {
      name: 'a path that does not decode',
      bytes: [`GET /v1/profiles/%E0%A4%A HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`],
      statuses: [400, 404, 422],
    },
    {
      name: 'a NUL in a path',
      bytes: [`GET /v1/profiles/prof_%00 HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`],
      statuses: [404, 422],
    },
    {
      name: 'a NUL in a query',
      bytes: [`GET /v1/profiles?q=%00 HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`],
      statuses: [422],
    },
    { name: 'another version', bytes: ['GET / HTTP/3.7\r\nHost: x\r\n\r\n'], statuses: cut },
    {
      name: 'an unknown method',
      bytes: ['BREW /v1/profiles HTTP/1.1\r\nHost: x\r\n\r\n'],
      statuses: [...cut, 404, 405],
    },
    { name: 'no host', bytes: ['GET /v1/profiles HTTP/1.1\r\n\r\n'], statuses: [...cut, 401] },
    {
      name: 'TLS to a plain port',
      bytes: [Buffer.from('16030100a5010000a10303', 'hex'), Buffer.alloc(160, 7)],
      statuses: cut,
    },
    { name: 'HTTP/2 preface', bytes: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], statuses: cut },
    { name: 'noise', bytes: [Buffer.alloc(4096, 0xff)], statuses: cut },
  ]
}

/** The server waits so long for a request to be complete; then it gives the connection up. */
function slowCases(app: TestApp): Case[] {
  const trickle = Array.from({ length: 45 }, () => [1000, 'X-A: b\r\n'] as const).flat()
  const listenMs = 45_000
  return [
    {
      name: 'slow headers',
      bytes: ['GET /v1/profiles HTTP/1.1\r\nHost: x\r\n', ...trickle],
      statuses: [400, 408],
      listenMs,
    },
    {
      name: 'a slow body',
      bytes: [
        head(app, '/v1/profiles', ['Content-Length: 5000']),
        ...Array.from({ length: 45 }, () => [1000, ' '] as const).flat(),
      ],
      statuses: [400, 408],
      listenMs,
    },
    {
      name: 'a body that never comes',
      bytes: [head(app, '/v1/profiles', ['Content-Length: 10'])],
      statuses: [400, 408],
      listenMs,
    },
  ]
}

function request(
  app: TestApp,
  path: string,
  body: string | Buffer,
  more: string[] = [],
): (string | Buffer)[] {
  return [head(app, path, [`Content-Length: ${Buffer.byteLength(body)}`, ...more]), body]
}

function head(app: TestApp, path: string, lines: string[], type = 'application/json'): string {
  const { host } = new URL(app.url)
  const key = `Authorization: Bearer ${app.account.keys.secret_test}`
  return `${[`POST ${path} HTTP/1.1`, `Host: ${host}`, key, `Content-Type: ${type}`, ...lines].join('\r\n')}\r\n\r\n`
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}

/** Writes the bytes, and listens until the other side closes or has said something and falls silent. */
function speak(url: string, { bytes, listenMs = 8000 }: Case): Promise<Heard> {
  const { hostname, port } = new URL(url)
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let text = ''
    let silence: NodeJS.Timeout | undefined
    function end(closed: boolean): void {
      clearTimeout(limit)
      clearTimeout(silence)
      socket.destroy()
      resolve({ text, closed, ms: performance.now() - startedMs })
    }
    const limit = setTimeout(() => end(false), patientMs(listenMs))
    socket.setEncoding('latin1')
    socket.on('data', (data) => {
      text += data
      clearTimeout(silence)
      silence = setTimeout(() => end(false), silentMs)
    })
    socket.on('close', () => end(true))
    // Reset by the other side while we still write is one way of being refused; `close` follows.
    socket.on('error', () => undefined)
    void write(bytes, (piece) => {
      socket.write(piece)
      return socket.writable
    })
  })
}

async function write(bytes: Case['bytes'], send: (piece: string | Buffer) => boolean): Promise<void> {
  for (const piece of bytes) {
    if (typeof piece === 'number') await new Promise((resolve) => setTimeout(resolve, piece).unref())
    else if (!send(piece)) return
  }
}

function faultOf(
  { statuses, code, answersMax = 1, listenMs }: Case,
  { text, closed, ms }: Heard,
): string | null {
  const answers = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  if (answers.length === 0)
    return closed ? null : `no answer and an open connection after ${Math.round(ms)} ms`
  if (answers.length > answersMax) return `${answers.length} answers: ${answers.join()}`
  const [status = 0] = answers
  if (!statuses.includes(status)) return `answered ${text.slice(0, 300)}`
  if (listenMs !== undefined && !closed) return 'the connection stays open'
  const body = text.slice(text.indexOf('\r\n\r\n') + 4)
  // What Node itself answers to what is no HTTP has no body, and closes.
  const isBare = body === '' || body === '0\r\n\r\n'
  if (isBare && closed && (status === 408 || status === 400)) return null
  if (!body.includes('"detail"')) return `not in the documented shape: ${text.slice(0, 300)}`
  if (!/\r\nrequest-id: req_/i.test(text)) return 'without a Request-Id'
  return code === undefined || body.includes(`"${code}"`) ? null : `without ${code}: ${body.slice(0, 200)}`
}

async function isAlive(app: TestApp, tally: SuiteRun['tally']): Promise<void> {
  const { status } = await app.post('/v1/profiles', person)
  if (status === 201) tally.pass()
  else tally.fail(`the server is not well afterwards: ${status}`)
}

/** The same again many times: what is refused leaves nothing behind. */
async function isFlat(app: TestApp, cases: Case[], rounds: number, tally: SuiteRun['tally']): Promise<void> {
  const quick = cases.filter(({ bytes }) => bytes.every((piece) => typeof piece !== 'number')).slice(0, 60)
  const round = (cases: Case[]) => Promise.all(cases.map((each) => speak(app.url, each)))
  await round(quick)
  const before = heapUsed()
  for (let done = 0; done < rounds; done += 10) await round(quick.slice(done % 50, (done % 50) + 10))
  const grown = heapUsed() - before
  tally.figure('heap growth', `${Math.round(grown / 1024)} KiB`)
  if (grown < heapGrowthMax) tally.pass()
  else tally.fail(`the heap grew by ${Math.round(grown / 1024 / 1024)} MiB`)
}

function heapUsed(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
