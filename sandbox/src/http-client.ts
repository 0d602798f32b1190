import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }

const ANSWER_BYTES_MAX = 1 << 20

type Answered = { status: number; headers: IncomingHttpHeaders; text: string }

/** Sends exactly these bytes. Never follows a redirect. Throws when no complete answer came: the outcome is then unknown. */
export function postJson(options: {
  url: string
  body: string
  headers?: Record<string, string>
  timeoutMs: number
  signal?: AbortSignal
}): Promise<Answered> {
  const { body, headers, ...rest } = options
  return exchange({
    ...rest,
    method: 'POST',
    body,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
}

/** Never follows a redirect. Throws when no complete answer came. */
export function getText(options: { url: string; timeoutMs: number }): Promise<Answered> {
  return exchange({ ...options, method: 'GET', headers: { accept: 'application/json' } })
}

function exchange(options: {
  url: string
  method: string
  body?: string
  headers: Record<string, string | number>
  timeoutMs: number
  signal?: AbortSignal
}): Promise<Answered> {
  const url = new URL(options.url)
  const [send, agent] = url.protocol === 'https:' ? [httpsRequest, agents.https] : [httpRequest, agents.http]
  const limits = [
    AbortSignal.timeout(options.timeoutMs),
    ...(options.signal === undefined ? [] : [options.signal]),
  ]
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: options.method,
      agent,
      headers: options.headers,
      signal: AbortSignal.any(limits),
    })
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > ANSWER_BYTES_MAX) request.destroy(new Error('The answer is larger than 1 MiB'))
        chunks.push(chunk)
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    request.end(options.body)
  })
}
