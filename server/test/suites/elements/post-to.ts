import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'

// biome-ignore lint/suspicious/noExplicitAny: answers of our own doors, whose shapes their contract fixes
type Answer = { readonly status: number; readonly body: any }

/** Posts to a name below `localhost`, which browsers know and not every system. */
export async function postTo(url: string, body: object, more: Record<string, string> = {}): Promise<Answer> {
  const { host, port, pathname } = new URL(url)
  const headers = { host, 'content-type': 'application/json', ...more }
  const asked = request({ host: '127.0.0.1', port, path: pathname, method: 'POST', headers, agent: false })
  asked.end(JSON.stringify(body))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage] // as Node documents it
  return { status: answer.statusCode ?? 0, body: await json(answer) }
}
