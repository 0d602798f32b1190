import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

type BareAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

type Asked = { method?: string; headers?: Record<string, string>; path?: string }

/** Sends a request exactly as it is given, with a `path` that no URL could name, and does not decompress or follow the answer. */
export async function bareRequest(
  url: string,
  { method = 'GET', headers = {}, ...more }: Asked = {},
): Promise<BareAnswer> {
  const asking = request(url, { method, headers, agent: false, ...more })
  asking.end()
  const [answer]: [IncomingMessage] = (await once(asking, 'response')) as [IncomingMessage] // as Node documents it
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }
}
