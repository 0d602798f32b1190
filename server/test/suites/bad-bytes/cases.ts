import type { TestApp } from '../../harness/app.ts'
import { person } from '../fixtures.ts'

export type Case = {
  name: string
  /** The bytes to write, piece by piece; a number is a pause in milliseconds. */
  bytes: readonly (string | Buffer | number)[]
  /** The statuses of a refusal in the documented shape. Without any, only a closed connection is right. */
  statuses: readonly number[]
  code?: string
  /** The most answers that there may be. More would be a smuggled request. */
  answersMax?: number
  listenMs?: number
}

export function documentCases(app: TestApp): Case[] {
  const wrong = Object.entries(wrongDocuments()).flatMap(([name, document]) =>
    ['/v1/profiles', '/mcp/v1'].map(
      (path): Case => ({
        name: `${name} at ${path}`,
        bytes: request(app, path, document),
        statuses: [422],
        code: 'json_invalid',
      }),
    ),
  )
  return [...wrong, ...bodyCases(app)]
}

function wrongDocuments(): Record<string, string | Buffer> {
  const valid = JSON.stringify(person).slice(0, -1)
  return {
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
}

/** Bodies that are too large, or of another type. */
function bodyCases(app: TestApp): Case[] {
  const keys = Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join()
  const big = `{"a":"${'x'.repeat(300 * 1024)}"}`
  return [
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

/** The end of a request, the form of its lines, and their meaning. */
export function framingCases(app: TestApp): Case[] {
  return [...lengthCases(app), ...headerCases(app), ...requestLineCases(app)]
}

const cut = [400, 408, 413, 414, 431, 501, 505]

function lengthCases(app: TestApp): Case[] {
  const key = `Authorization: Bearer ${app.account.keys.secret_test}`
  const body = JSON.stringify({ ...person, first_name: 'Smuggled' })
  const inner = `POST /v1/profiles HTTP/1.1\r\nHost: x\r\n${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
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
  ]
}

function headerCases(app: TestApp): Case[] {
  const key = `Authorization: Bearer ${app.account.keys.secret_test}`
  return [
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
  ]
}

function requestLineCases(app: TestApp): Case[] {
  const key = `Authorization: Bearer ${app.account.keys.secret_test}`
  return [
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

/** How long the server waits for a complete request. Then it gives the connection up. */
export function slowCases(app: TestApp): Case[] {
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
